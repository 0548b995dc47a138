// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.memo;

import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import io.shredder.incoop.config.IncoopKeys;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IOUtils;

/**
 * The folder of memo files of one job identity, on the job's file system, readable by its owner only. What lies where
 * is in {@code docs/formats/memo.md}, "The store". Any number of jobs may read and write it at the same time: files
 * appear by rename and are never changed.
 */
public final class MemoStore {

    static final String SUFFIX = ".memo";
    static final String BAD = SUFFIX + ".bad.";
    static final String TEMPORARIES = "tmp";
    static final String JVM_FILE = "jvm.txt";
    static final String IDENTITY_FILE = "identity.txt";
    private static final String PLAIN_FILE = "plain.txt";
    static final long TEMPORARY_LIFE_MS = TimeUnit.DAYS.toMillis(7);

    private final FileSystem fs;
    private final Path root;
    private final Fingerprint identity;
    private final Path folder;
    private final short replication;
    private final Fingerprint jvm;

    /** What stands for a JVM that the identity describes. */
    public static final Fingerprint JVM_OF_IDENTITY = Fingerprint.of(new byte[Fingerprint.BYTES]);

    /** The part of the store under {@code root} that belongs to one job identity. Opens nothing yet. */
    public MemoStore(Configuration conf, Path root, Fingerprint identity) throws IOException {
        this(conf, root, identity, JVM_OF_IDENTITY);
    }

    /**
     * The same for a task.
     *
     * @param jvm what its JVM is like; stands in what it writes, and keeps it from using what another one has made
     */
    public MemoStore(Configuration conf, Path root, Fingerprint identity, Fingerprint jvm) throws IOException {
        this.jvm = jvm;
        this.fs = root.getFileSystem(conf);
        this.root = fs.makeQualified(root);
        this.identity = identity;
        this.folder = new Path(this.root, identity.toString());
        this.replication = IncoopKeys.memoReplication(conf);
    }

    /** Where the store lies, qualified. */
    public Path root() {
        return root;
    }

    /** The job identity that this part of the store belongs to. */
    public Fingerprint identity() {
        return identity;
    }

    /**
     * Makes the folders, leaves the readable identity there, and removes what crashed attempts left long ago.
     *
     * @throws IOException if that can't be done, or others may write to one of the folders
     */
    public void prepare(String identityDocument) throws IOException {
        for (Path own : List.of(root, folder, temporaries(), new Path(root, "last"))) {
            OwnFolder.make(fs, own);
        }
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

    /**
     * Reads the index of every memo file; damaged ones count as missing, with one warning.
     *
     * @param hold whether what entries depend on stands as it did
     */
    public MemoCatalog catalog(Predicate<List<Dependency>> hold) throws IOException {
        MemoCatalog catalog = new MemoCatalog(hold);
        new MemoIndexes(this, fs.listStatus(folder)).addTo(catalog, metJvm());
        return catalog;
    }

    /** Opens a memo file of this identity by its name. The caller closes it. */
    public MemoReader open(String name) throws IOException {
        MemoReader reader = MemoReader.open(fs, new Path(folder, name));
        if (!reader.identity().equals(identity)) {
            reader.close();
            throw new DamagedDataException(
                    name, MemoFormat.IDENTITY_OFFSET, "belongs to another job identity, " + reader.identity());
        }
        return reader;
    }

    /**
     * Opens a memo file for a task's use. The caller closes it.
     *
     * @throws OtherJvmException if a JVM unlike this one has made it
     */
    public MemoReader openToUse(String name) throws IOException {
        MemoReader reader = open(name);
        if (!reader.jvm().equals(jvm)) {
            reader.close();
            throw new OtherJvmException(name);
        }
        return reader;
    }

    /** What the JVM of a task is like, and since when that is known, by the file system's clock. */
    record MetJvm(Fingerprint jvm, long sinceMs) {}

    /** To be called by a task that has met files of other JVMs: jobs to come pass them over. */
    public void leaveJvm() throws IOException {
        replace(new Path(folder, JVM_FILE), jvm.toString());
    }

    private Optional<MetJvm> metJvm() throws IOException {
        Path file = new Path(folder, JVM_FILE);
        Optional<String> text = text(file);
        return text.filter(MemoStore::isIdentity).isEmpty()
                ? Optional.empty()
                : Optional.of(new MetJvm(
                        Fingerprint.parseHex(text.get()), fs.getFileStatus(file).getModificationTime()));
    }

    /** Remembers that jobs of this identity have to run plainly. */
    public void refuse(String reason) throws IOException {
        replace(new Path(folder, PLAIN_FILE), reason);
    }

    /** Why jobs of this identity have to run plainly, if an earlier one has found out. */
    public Optional<String> refusal() throws IOException {
        return text(new Path(folder, PLAIN_FILE));
    }

    /** The part of a store that is a {@link #folder}. */
    public static MemoStore of(Path folder, Configuration conf) throws IOException {
        return new MemoStore(conf, folder.getParent(), Fingerprint.parseHex(folder.getName()));
    }

    /** What a submitted job keeps its results in. */
    public static MemoStore ofJob(Configuration conf) throws IOException {
        return of(new Path(conf.get(IncoopKeys.MEMO_OF_JOB)), conf);
    }

    /** Leaves word of why a job has failed, for whoever runs it plainly then. */
    public void noteFailure(String job, String reason) throws IOException {
        replace(failureFile(job), reason);
    }

    /** Why a job has failed, if it has left word, which is taken away. */
    public Optional<String> takeFailure(String job) throws IOException {
        Optional<String> reason = text(failureFile(job));
        fs.delete(failureFile(job), false);
        return reason;
    }

    private Path failureFile(String job) {
        return new Path(temporaries(), job + ".failure");
    }

    /** The folder of this identity, qualified. */
    public Path folder() {
        return folder;
    }

    /**
     * Begins a memo file.
     *
     * @param name the name that it will be published under, of {@link MemoKind#fileName}
     * @param attempt unique among all attempts to write it
     * @param segments how many each entry has
     */
    public MemoWriter writer(MemoKind kind, String name, String attempt, int segments) throws IOException {
        Path temporary = new Path(temporaries(), attempt);
        short copies = replication == 0 ? fs.getDefaultReplication(folder) : replication;
        return new MemoWriter(
                new MemoWriter.Files(fs, temporary, new Path(folder, name), copies),
                new MemoWriter.Origin(identity, jvm, kind),
                segments);
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

    static String badName(String file, int ordinal) {
        return file + BAD.substring(SUFFIX.length()) + ordinal;
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
        return new Path(new Path(root, "last"), digest(jobName));
    }

    /** What stands for a job's name in names of files. */
    static String digest(String jobName) {
        return Fingerprint.ofData(ByteBuffer.wrap(jobName.getBytes(StandardCharsets.UTF_8)))
                .toString();
    }

    private Path temporaries() {
        return new Path(folder, TEMPORARIES);
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
