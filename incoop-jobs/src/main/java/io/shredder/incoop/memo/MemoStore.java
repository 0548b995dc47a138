// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.memo;

import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.io.IOUtils;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folder of memo files, on the job's file system, readable by its owner only:
 *
 * <pre>
 * ROOT/IDENTITY/identity.txt      what the identity was made of, readable
 * ROOT/IDENTITY/JOB-gNNNNN.memo   memo files, never changed once they have that name
 * ROOT/IDENTITY/X.memo.bad.N      entry N of X.memo was found damaged: a miss from then on
 * ROOT/IDENTITY/tmp/              unfinished files, named for their attempts
 * ROOT/last/SHA256-OF-JOB-NAME    the identity of that job's last run
 * </pre>
 *
 * Any number of jobs may read and write it at the same time: files appear by rename and are never changed.
 */
public final class MemoStore {

    private static final Logger LOG = LoggerFactory.getLogger(MemoStore.class);
    private static final FsPermission OWNER_ONLY = new FsPermission((short) 0700);
    private static final String SUFFIX = ".memo";
    private static final String IDENTITY_FILE = "identity.txt";
    private static final long TEMPORARY_LIFE_MS = TimeUnit.DAYS.toMillis(7);

    private final FileSystem fs;
    private final Path root;
    private final Fingerprint identity;
    private final Path folder;

    /** The part of the store under {@code root} that belongs to one job identity. Opens nothing yet. */
    public MemoStore(Configuration conf, Path root, Fingerprint identity) throws IOException {
        this.fs = root.getFileSystem(conf);
        this.root = fs.makeQualified(root);
        this.identity = identity;
        this.folder = new Path(this.root, identity.toString());
    }

    /** Where the store lies, qualified. */
    public Path root() {
        return root;
    }

    /** The job identity that this part of the store belongs to. */
    public Fingerprint identity() {
        return identity;
    }

    /** Makes the folders, leaves the readable identity there, and removes what crashed attempts left long ago. */
    public void prepare(String identityDocument) throws IOException {
        makeFolder(root);
        makeFolder(folder);
        makeFolder(temporaries());
        makeFolder(new Path(root, "last"));
        Path document = new Path(folder, IDENTITY_FILE);
        if (!fs.exists(document)) {
            replace(document, identityDocument);
        }
        long tooOld = System.currentTimeMillis() - TEMPORARY_LIFE_MS;
        for (FileStatus left : fs.listStatus(temporaries())) {
            if (left.getModificationTime() < tooOld) {
                fs.delete(left.getPath(), false);
            }
        }
    }

    /** Reads the index of every memo file; a damaged one counts as missing, with one warning. */
    public MemoCatalog catalog() throws IOException {
        MemoCatalog catalog = new MemoCatalog();
        FileStatus[] files = fs.listStatus(folder);
        Arrays.sort(files);
        Set<String> bad = new HashSet<>();
        for (FileStatus file : files) {
            if (file.getPath().getName().contains(SUFFIX + ".bad.")) {
                bad.add(file.getPath().getName());
            }
        }
        for (FileStatus file : files) {
            if (isMemoFile(file.getPath().getName())) {
                addTo(catalog, file.getPath(), bad);
            }
        }
        return catalog;
    }

    private void addTo(MemoCatalog catalog, Path file, Set<String> bad) {
        try (MemoReader reader = open(file.getName())) {
            for (int i = 0; i < reader.entries().size(); i++) {
                if (!bad.contains(badName(file.getName(), i))) {
                    catalog.add(file.getName(), i, reader.entries().get(i));
                }
            }
        } catch (IOException e) {
            LOG.warn("incoop: memo file not used, its chunks are computed again: {}", e.getMessage());
        }
    }

    /** Opens a memo file of this identity by its name. The caller closes it. */
    public MemoReader open(String name) throws IOException {
        MemoReader reader = MemoReader.open(fs, new Path(folder, name));
        if (!reader.identity().equals(identity)) {
            reader.close();
            throw new IOException(name + " belongs to another job identity, " + reader.identity());
        }
        return reader;
    }

    /**
     * Begins a memo file.
     *
     * @param name the name that it will be published under
     * @param attempt unique among all attempts to write it
     */
    public MemoWriter writer(String name, String attempt, int partitions) throws IOException {
        Path temporary = new Path(temporaries(), attempt);
        return new MemoWriter(fs, temporary, new Path(folder, name), identity, partitions);
    }

    /** The name of the memo file that group {@code group} of a job's chunks goes to. */
    public static String fileName(String job, int group) {
        return String.format("%s-g%05d%s", job, group, SUFFIX);
    }

    /** Whether a file of an identity's folder is a published memo file. */
    static boolean isMemoFile(String name) {
        return name.endsWith(SUFFIX);
    }

    /** Whether a folder of the store is an identity's. */
    static boolean isIdentity(String name) {
        return name.matches("[0-9a-f]{64}");
    }

    /** Remembers that an entry is damaged, so that later jobs compute its chunk again. */
    public void markBad(String file, int ordinal) throws IOException {
        fs.create(new Path(folder, badName(file, ordinal)), true).close();
    }

    private static String badName(String file, int ordinal) {
        return file + ".bad." + ordinal;
    }

    /** The readable identity of the last run of a job name, if that was another identity than this one. */
    public Optional<String> lastOtherIdentityDocument(String jobName) throws IOException {
        Optional<String> last = text(lastFile(jobName));
        if (last.isEmpty() || last.get().equals(identity.toString()) || !isIdentity(last.get())) {
            return Optional.empty();
        }
        return text(new Path(new Path(root, last.get()), IDENTITY_FILE));
    }

    /** Makes this identity the last one that ran under a job name. */
    public void rememberLast(String jobName) throws IOException {
        replace(lastFile(jobName), identity.toString());
    }

    private Path lastFile(String jobName) {
        byte[] digest = DigestAlgorithm.SHA_256.newMessageDigest().digest(jobName.getBytes(StandardCharsets.UTF_8));
        return new Path(new Path(root, "last"), Fingerprint.of(digest).toString());
    }

    private Path temporaries() {
        return new Path(folder, "tmp");
    }

    private void makeFolder(Path path) throws IOException {
        if (!fs.mkdirs(path, OWNER_ONLY)) {
            throw new IOException("can't make the folder " + path);
        }
    }

    private Optional<String> text(Path file) throws IOException {
        try (FSDataInputStream in = fs.open(file)) {
            return Optional.of(new String(IOUtils.readFullyToByteArray(in), StandardCharsets.UTF_8));
        } catch (FileNotFoundException e) {
            return Optional.empty();
        }
    }

    private void replace(Path target, String content) throws IOException {
        Path temporary = new Path(temporaries(), target.getName() + "-" + UUID.randomUUID());
        try (FSDataOutputStream out = fs.create(temporary, true)) {
            out.write(content.getBytes(StandardCharsets.UTF_8));
        }
        fs.delete(target, false);
        if (!fs.rename(temporary, target)) {
            fs.delete(temporary, false);
        }
    }
}
