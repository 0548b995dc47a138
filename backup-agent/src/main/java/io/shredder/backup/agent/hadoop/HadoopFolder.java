// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.hadoop;

import io.shredder.backup.agent.file.Span;
import io.shredder.backup.agent.storage.ReadableFile;
import java.io.Closeable;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.fs.CommonConfigurationKeysPublic;
import org.apache.hadoop.fs.CreateFlag;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileContext;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.LeaseRecoverable;
import org.apache.hadoop.fs.Options;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.RemoteIterator;
import org.apache.hadoop.fs.StreamCapabilities;
import org.apache.hadoop.fs.permission.FsPermission;

/**
 * What {@link HadoopStorage} does to files, in Hadoop's words, by names below one folder. Safe for any number of
 * threads.
 */
final class HadoopFolder implements Closeable {

    /** Where files are until they are whole. */
    static final String INCOMING = "incoming";

    private static final String BEST_EFFORT = "dfs.client.block.write.replace-datanode-on-failure.best-effort";
    private static final String HDFS_DEFAULTS = "hdfs-default.xml";
    private static final Duration RECOVERY_LIMIT = Duration.ofMinutes(5);
    private static final long RECOVERY_POLL_MS = 200;
    private static final int COPY_BYTES = 1 << 20;
    private static final FsPermission OWNERS_ONLY = new FsPermission((short) 0700);
    private static final FsPermission OWNERS_FILE = new FsPermission((short) 0600);

    private final FileSystem system;
    private final FileContext renames;
    private final Path root;

    private HadoopFolder(FileSystem system, FileContext renames, Path root) {
        this.system = system;
        this.renames = renames;
        this.root = root;
    }

    /** Connects; nothing is made yet. */
    static HadoopFolder open(URI store) throws IOException {
        Configuration conf = configuration(store);
        Path path = new Path(store.toString()); // Not the URI itself, which may end in a slash.
        FileSystem system = FileSystem.newInstance(store, conf);
        try {
            AtomicRenames.check(store, system.getUri().getScheme());
            Path root = system.makeQualified(path);
            if (root.isRoot()) {
                throw new IOException("store " + store + " is the root of its file system: name a folder");
            }
            return new HadoopFolder(system, FileContext.getFileContext(root.toUri(), conf), root);
        } catch (IOException | RuntimeException e) {
            system.close();
            throw e;
        }
    }

    /** The cluster's, from the class path. */
    static Configuration configuration(URI store) throws IOException {
        Configuration conf = new Configuration();
        // Hadoop would close it as soon as the process is asked to stop, before the agent has.
        conf.setBoolean(CommonConfigurationKeysPublic.FS_AUTOMATIC_CLOSE_KEY, false);
        if (store.getScheme() != null) {
            FileSystem.getFileSystemClass(store.getScheme(), conf); // Brings the defaults and the sites of its own.
        }
        // A container that is being written goes on with the data nodes that are left; the name node makes up for the
        // lost one.
        String[] sources = conf.getPropertySources(BEST_EFFORT);
        if (sources == null || Arrays.asList(sources).contains(HDFS_DEFAULTS)) {
            conf.setBoolean(BEST_EFFORT, true);
        }
        return conf;
    }

    /** Makes the folder, for its owner only; refuses one that holds other things and none of these. */
    void makeUnlessOthers(Set<String> ours) throws IOException {
        if (!system.exists(root)) {
            system.mkdirs(root, OWNERS_ONLY);
        }
        FileStatus[] files = system.listStatus(root);
        for (FileStatus file : files) {
            if (ours.contains(file.getPath().getName())) {
                return;
            }
        }
        if (files.length > 0) {
            throw new IOException(
                    "store " + this + " is not a repository and not empty: name an empty folder or a new one");
        }
    }

    /** Refuses a folder that isn't there. */
    void requireThere() throws IOException {
        if (!system.exists(root)) {
            throw new NoSuchFileException(root + " isn't there");
        }
    }

    /** Whether a file can be forced here and go on growing, and its length be settled when its writer has died. */
    boolean settlesGrowingFiles() throws IOException {
        if (!(system instanceof LeaseRecoverable)) {
            return false;
        }
        Path trial = path(INCOMING + "/" + UUID.randomUUID());
        try (FSDataOutputStream out = create(trial)) {
            return out.hasCapability(StreamCapabilities.HSYNC);
        } finally {
            system.delete(trial, false);
        }
    }

    void makeFolder(String folder) throws IOException {
        system.mkdirs(path(folder), OWNERS_ONLY);
    }

    /** Gives a closed file another name, also that of one that is there. */
    void rename(String file, String name) throws IOException {
        renames.rename(path(file), path(name), Options.Rename.OVERWRITE);
    }

    void setModified(String file, Instant modified) throws IOException {
        system.setTimes(path(file), modified.toEpochMilli(), -1);
    }

    void clearIncoming() throws IOException {
        system.delete(path(INCOMING), true);
    }

    private Path path(String file) {
        return file.isEmpty() ? root : new Path(root, file);
    }

    /** A path's name below the folder. */
    String name(Path path) {
        String whole = path.toUri().getPath();
        return whole.substring(root.toUri().getPath().length() + 1);
    }

    /** All files below a folder. What goes away meanwhile, whoever took it away, is left out and hides nothing else. */
    List<FileStatus> files(String below) throws IOException {
        List<FileStatus> files = new ArrayList<>();
        Deque<Path> folders = new ArrayDeque<>(List.of(path(below)));
        while (!folders.isEmpty()) {
            for (FileStatus found : listUnlessGone(folders.remove())) {
                if (found.isDirectory()) {
                    folders.add(found.getPath());
                } else {
                    files.add(found);
                }
            }
        }
        return files;
    }

    private List<FileStatus> listUnlessGone(Path folder) throws IOException {
        List<FileStatus> found = new ArrayList<>();
        try {
            RemoteIterator<FileStatus> each = system.listStatusIterator(folder);
            while (each.hasNext()) {
                found.add(each.next());
            }
        } catch (IOException e) {
            // A local file system calls a folder that has just gone unreadable.
            if (!(e instanceof FileNotFoundException) && system.exists(folder)) {
                throw e;
            }
        }
        return found;
    }

    FileStatus status(String file) throws IOException {
        try {
            return system.getFileStatus(path(file));
        } catch (FileNotFoundException e) {
            throw new NoSuchFileException(file);
        }
    }

    FSDataInputStream open(String file) throws IOException {
        try {
            return system.open(path(file));
        } catch (FileNotFoundException e) {
            throw new NoSuchFileException(file);
        }
    }

    /** The block that a byte of a file is in; that byte alone if nobody knows. */
    Span block(String file, long offset) throws IOException {
        for (BlockLocation block : system.getFileBlockLocations(path(file), offset, 1)) {
            return new Span(block.getOffset(), block.getOffset() + block.getLength());
        }
        return new Span(offset, offset + 1);
    }

    /** A new file, whose blocks are on disk once it is closed. */
    FSDataOutputStream create(String file) throws IOException {
        return create(path(file));
    }

    private FSDataOutputStream create(Path path) throws IOException {
        return system.create(
                path,
                OWNERS_FILE,
                EnumSet.of(CreateFlag.CREATE, CreateFlag.SYNC_BLOCK),
                system.getConf().getInt(CommonConfigurationKeysPublic.IO_FILE_BUFFER_SIZE_KEY, 1 << 16),
                system.getDefaultReplication(path),
                system.getDefaultBlockSize(path),
                null);
    }

    void delete(String file) throws IOException {
        if (!system.delete(path(file), false)) {
            throw new NoSuchFileException(file);
        }
    }

    /**
     * Ends what a dead process has open.
     *
     * @return whether it was open
     */
    boolean endWriting(String file) throws IOException {
        Path path = path(file);
        if (!(system instanceof LeaseRecoverable leases) || leases.isFileClosed(path)) {
            return false;
        }
        boolean closed = leases.recoverLease(path);
        long end = System.nanoTime() + RECOVERY_LIMIT.toNanos();
        while (!closed) {
            if (System.nanoTime() > end) {
                throw new IOException(file + " is still open in the name of a dead process after "
                        + RECOVERY_LIMIT.toMinutes()
                        + " minutes: look after the data nodes, then try 'hdfs debug recoverLease -path "
                        + path.toUri().getPath() + "'");
            }
            pause();
            closed = leases.isFileClosed(path);
        }
        return true;
    }

    private static void pause() throws IOException {
        try {
            Thread.sleep(RECOVERY_POLL_MS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted while a file was recovered", e);
        }
    }

    Optional<ByteBuffer> read(String file) throws IOException {
        try (FSDataInputStream in = system.open(path(file))) {
            return Optional.of(ByteBuffer.wrap(in.readAllBytes()));
        } catch (FileNotFoundException e) {
            return Optional.empty();
        }
    }

    /** Something that writes a whole file. */
    private interface Writing {
        void to(FSDataOutputStream out) throws IOException;
    }

    /** Writes a file aside and gives it its name once it is whole: old whole or new whole. */
    private void writeAside(String file, long bytes, Writing writing) throws IOException {
        Path aside = path(INCOMING + "/" + UUID.randomUUID());
        try {
            try (FSDataOutputStream out = create(aside)) {
                writing.to(out);
            }
            long length = system.getFileStatus(aside).getLen();
            if (length != bytes) {
                throw new IOException(aside + " has " + length + " bytes, not " + bytes);
            }
            Path target = path(file);
            system.mkdirs(target.getParent());
            renames.rename(aside, target, Options.Rename.OVERWRITE);
        } catch (IOException e) {
            deleteQuietly(aside, e);
            throw e;
        }
    }

    /** Deletes what failed, if it can be; if not, that is said with the cause. */
    void deleteQuietly(String file, IOException cause) {
        deleteQuietly(path(file), cause);
    }

    private void deleteQuietly(Path file, IOException cause) {
        try {
            system.delete(file, false);
        } catch (IOException e) {
            cause.addSuppressed(e);
        }
    }

    /** Makes a small file; false if it is there already. */
    boolean createWhole(String file, ByteBuffer bytes) throws IOException {
        try (FSDataOutputStream out = create(file)) {
            out.write(array(bytes));
            return true;
        } catch (FileAlreadyExistsException e) {
            return false;
        }
    }

    private static byte[] array(ByteBuffer bytes) {
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(copy);
        return copy;
    }

    void replace(String file, ByteBuffer bytes) throws IOException {
        byte[] copy = array(bytes);
        writeAside(file, copy.length, out -> out.write(copy));
    }

    /** Puts a local file there, in the place of one that may be there. */
    void publish(java.nio.file.Path whole, String file) throws IOException {
        writeAside(file, Files.size(whole), out -> {
            try (InputStream in = Files.newInputStream(whole)) {
                in.transferTo(out);
            }
        });
    }

    /** Replaces a file by its own beginning. */
    void write(String file, ReadableFile old, long bytes) throws IOException {
        writeAside(file, bytes, out -> {
            ByteBuffer part = ByteBuffer.allocate(COPY_BYTES);
            for (long at = 0; at < bytes; at += part.limit()) {
                part.clear().limit((int) Math.min(COPY_BYTES, bytes - at));
                old.readFully(part, at);
                out.write(part.array(), 0, part.limit());
            }
        });
    }

    /** About: on HDFS the room of all data nodes, by the replicas that a file has. */
    long usableBytes() throws IOException {
        return system.getStatus(root).getRemaining() / Math.max(1, system.getDefaultReplication(root));
    }

    @Override
    public String toString() {
        return root.toString();
    }

    @Override
    public void close() throws IOException {
        system.close();
    }
}
