// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan.verify;

import io.shredder.chunk.Manifest;
import io.shredder.hdfs.scan.digests.DigestListing;
import io.shredder.hdfs.scan.digests.ListedFile;
import io.shredder.hdfs.scan.plan.ScanSplit.Part;
import io.shredder.hdfs.scan.plan.ScannedFile;
import java.io.IOException;
import java.util.Optional;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;

/** By a listing of digests, whatever manifests there are. */
final class ListingProver implements PartProver {

    private static final String LISTING_KEY = "inc-hdfs.scan.against";

    private final DigestListing listing;

    private ListingProver(DigestListing listing) {
        this.listing = listing;
    }

    /** Has tasks prove by this listing. */
    static void prepare(Configuration conf, Path listing) {
        conf.set(LISTING_KEY, listing.toString());
    }

    /** The prover that a job was {@link #prepare prepared} for; empty if it goes by manifests. */
    static Optional<PartProver> of(Configuration conf) throws IOException {
        String name = conf.get(LISTING_KEY);
        if (name == null) {
            return Optional.empty();
        }
        Path path = new Path(name);
        return Optional.of(new ListingProver(DigestListing.open(path.getFileSystem(conf), path)));
    }

    @Override
    public PartProof prove(FileSystem fs, Part part, Runnable progress) throws IOException {
        ScannedFile file = part.file();
        Optional<ListedFile> found = listing.find(file.path().toUri().getPath());
        if (found.isEmpty()) {
            return PartProof.without(ProofState.NOT_LISTED, "not in the listing");
        }
        Manifest listed = found.get().manifest();
        boolean last = part.end() == file.length();
        PartProof proof;
        try (FSDataInputStream in = fs.open(file.path())) {
            // Chunks that begin behind the end of a file that is shorter now are the last part's.
            proof = new ChunkReader(in, file.length(), listed, progress)
                    .prove(part.start(), last ? Long.MAX_VALUE : part.end());
        }
        if (proof.differing() > 0) {
            return differing(fs, file, found.get(), proof);
        }
        return last && file.length() > listed.length() ? longer(file, listed, proof) : proof;
    }

    private static PartProof differing(FileSystem fs, ScannedFile file, ListedFile listed, PartProof proof)
            throws IOException {
        HdfsFileStatus status = (HdfsFileStatus) fs.getFileStatus(file.path());
        if (status.getFileId() != file.fileId() || status.getLen() != file.length()) {
            return PartProof.without(ProofState.FAILED, FileProof.REPLACED);
        }
        boolean same =
                listed.blocks().equals(file.blocks()) && listed.manifest().fileId() == file.fileId();
        return proof.as(same ? ProofState.DAMAGED : ProofState.CHANGED, "");
    }

    private static PartProof longer(ScannedFile file, Manifest listed, PartProof proof) {
        String reason = (file.length() - listed.length()) + " bytes are behind the " + listed.length()
                + " that the listing knows";
        return new PartProof(
                ProofState.CHANGED, reason, proof.from(), proof.to(), proof.chunks(), 0, listed.length(), 0);
    }

    @Override
    public void close() throws IOException {
        listing.close();
    }
}
