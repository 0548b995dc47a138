// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan.verify;

import io.shredder.hdfs.scan.digests.DigestListing;
import io.shredder.hdfs.scan.digests.ListedFile;
import io.shredder.hdfs.scan.plan.LastAttempt;
import io.shredder.hdfs.scan.plan.ScanPlan;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.ParentNotDirectoryException;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.security.AccessControlException;

/** Proves files against a listing of digests, also that all listed ones are there. For one thread. */
public final class ListingProof {

    private final Path listing;
    private final ScanPlan plan;
    private final Configuration conf;
    private final List<FileProof> unread = new ArrayList<>();

    private ListingProof(Path listing, ScanPlan plan, Configuration conf) {
        this.listing = listing;
        this.plan = plan;
        this.conf = conf;
    }

    /**
     * Reads the listing, and looks for files of it that lie below the roots and are not in the plan.
     *
     * @param plan has what was found below the roots; gets what is there besides
     * @param roots whole, with their file systems
     * @throws io.shredder.chunk.DamagedDataException if the listing is damaged, with the offset
     */
    public static ListingProof of(String listing, ScanPlan plan, List<Path> roots, Configuration conf)
            throws IOException {
        FileSystem fs = new Path(listing).getFileSystem(conf);
        if (!(fs instanceof DistributedFileSystem)) {
            throw new IOException(
                    "--against " + listing + " is not in HDFS, where tasks read it: put it there with hdfs dfs -put");
        }
        ListingProof proof = new ListingProof(fs.makeQualified(new Path(listing)), plan, conf);
        try (DigestListing open = DigestListing.open(fs, proof.listing)) {
            open.readAll(file -> {
                for (Path wanted : below(roots, file)) {
                    proof.look(wanted, file.manifest().length());
                }
            });
        }
        return proof;
    }

    private static Set<Path> below(List<Path> roots, ListedFile file) {
        Set<Path> wanted = new TreeSet<>();
        for (Path root : roots) {
            String folder = root.toUri().getPath();
            if (file.path().equals(folder) || file.path().startsWith(folder.equals("/") ? "/" : folder + "/")) {
                wanted.add(new Path(root.toUri().getScheme(), root.toUri().getAuthority(), file.path()));
            }
        }
        return wanted;
    }

    /** What a walk leaves out, such as a hidden file that was listed by its name, is read if it is there. */
    private void look(Path file, long bytes) throws IOException {
        try {
            if (!plan.knows(file)) {
                DistributedFileSystem fs = (DistributedFileSystem) file.getFileSystem(conf);
                FileStatus status = fs.getFileStatus(file);
                if (status.isDirectory()) {
                    add(file, bytes, ProofState.MISSING, "it is a folder now");
                    return;
                }
                plan.add(fs, status);
            }
            String skipped = plan.skipped().get(file);
            if (skipped != null) {
                add(file, bytes, ProofState.FAILED, skipped);
            }
        } catch (FileNotFoundException | ParentNotDirectoryException e) {
            add(file, bytes, ProofState.MISSING, "it is gone");
        } catch (AccessControlException e) {
            add(file, bytes, ProofState.FAILED, LastAttempt.reason(e));
        }
    }

    private void add(Path file, long bytes, ProofState state, String reason) {
        unread.add(new FileProof(file, bytes, PartProof.without(state, reason)));
    }

    /**
     * Reads all files of the plan.
     *
     * @param err gets the progress
     */
    public ProofFindings prove(PrintStream err) throws IOException, InterruptedException, ClassNotFoundException {
        Configuration own = new Configuration(conf);
        ListingProver.prepare(own, listing);
        List<FileProof> files = new ArrayList<>(unread);
        files.addAll(ProofFindings.read(plan, own, err));
        return ProofFindings.of(files, true);
    }
}
