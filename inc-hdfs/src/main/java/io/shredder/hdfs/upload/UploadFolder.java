// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.upload;

import java.io.IOException;
import java.net.ConnectException;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileAlreadyExistsException;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options.Rename;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.fs.PathExistsException;
import org.apache.hadoop.fs.PathIOException;
import org.apache.hadoop.fs.PathIsNotEmptyDirectoryException;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.hdfs.DistributedFileSystem.HdfsDataOutputStreamBuilder;
import org.apache.hadoop.hdfs.protocol.NSQuotaExceededException;
import org.apache.hadoop.hdfs.server.namenode.SafeModeException;
import org.apache.hadoop.security.AccessControlException;
import org.apache.hadoop.security.UserGroupInformation;
import org.apache.hadoop.util.ShutdownHookManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The folder beside an upload's target that holds whatever is not published yet; hidden from MapReduce, and closed to
 * others. {@link #close} deletes it with all that is left in it. If the process ends first, as by Ctrl-C, a shutdown
 * hook does so, before Hadoop's own closes the file system: nothing can be created in a folder that is gone, so
 * whatever other threads do meanwhile leaves nothing. What a killed process left goes when the same file is uploaded
 * again. The files lie in a folder of a random name within, so an upload that another one has replaced can't write
 * among the other's files, nor take them away. Safe for use by several threads.
 */
public final class UploadFolder implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(UploadFolder.class);
    private static final int BEFORE_FILE_SYSTEMS_CLOSE = FileSystem.SHUTDOWN_HOOK_PRIORITY + 1;
    private static final FsPermission OWNER_ONLY = new FsPermission((short) 0700);
    private static final int DELETE_ATTEMPTS = 30;
    private static final int DELETE_PAUSE_SECONDS = 1;

    private final DistributedFileSystem fs;
    private final Path folder;
    private final Path files;
    private final boolean lazyPersist;
    private final Runnable hook = this::deleteAtExit;
    private boolean ended; // guarded by this

    private UploadFolder(DistributedFileSystem fs, Path folder, boolean lazyPersist) {
        this.fs = fs;
        this.lazyPersist = lazyPersist;
        this.folder = folder;
        this.files = new Path(folder, UUID.randomUUID().toString());
    }

    /**
     * Makes the folder, instead of what an earlier upload has left there. Its parent must exist. Where another user's
     * upload runs, or was killed, it has this user's name behind its own.
     *
     * @param lazyPersist whether blocks are kept in memory first, in one replica
     */
    public static UploadFolder make(DistributedFileSystem fs, Path path, boolean lazyPersist) throws IOException {
        try {
            return makeAt(fs, path, lazyPersist);
        } catch (AccessControlException e) {
            return makeAt(
                    fs, path.suffix("." + UserGroupInformation.getCurrentUser().getShortUserName()), lazyPersist);
        }
    }

    private static UploadFolder makeAt(DistributedFileSystem fs, Path path, boolean lazyPersist) throws IOException {
        UploadFolder folder = new UploadFolder(fs, path, lazyPersist);
        ShutdownHookManager.get().addShutdownHook(folder.hook, BEFORE_FILE_SYSTEMS_CLOSE);
        try {
            folder.make();
            return folder;
        } catch (IOException e) {
            folder.forgetHook();
            throw e;
        }
    }

    /** A process that ends at this moment waits for the folder, and deletes it. */
    private synchronized void make() throws IOException {
        if (ended) {
            throw new IOException("the process is ending");
        }
        fs.delete(folder, true);
        fs.mkdir(folder, OWNER_ONLY);
        try {
            fs.mkdir(files, OWNER_ONLY);
        } catch (IOException e) {
            fs.delete(folder, false);
            throw e;
        }
    }

    DistributedFileSystem fileSystem() {
        return fs;
    }

    /** The path of a file in the folder. */
    Path path(String name) {
        return new Path(files, name);
    }

    /** Creates a file in the folder. */
    FSDataOutputStream create(String name, long blockBytes) throws IOException {
        return fs.createFile(path(name)).blockSize(blockBytes).build();
    }

    /** Creates a file in the folder for blocks of the upload. */
    FSDataOutputStream createBlocks(String name, long blockBytes) throws IOException {
        HdfsDataOutputStreamBuilder file = fs.createFile(path(name)).blockSize(blockBytes);
        return lazyPersist ? file.replication((short) 1).lazyPersist().build() : file.build();
    }

    /** Gives {@code file} its name, in one step, replacing a file of that name. */
    void publish(Path file, Path name) throws IOException {
        fs.rename(file, name, Rename.OVERWRITE);
    }

    /** The same, unless there is a file of that name by now. */
    void publishNew(Path file, Path name) throws IOException {
        try {
            fs.rename(file, name, Rename.NONE);
        } catch (FileAlreadyExistsException e) {
            PathExistsException taken = new PathExistsException(name.toString());
            taken.initCause(e);
            throw taken;
        }
    }

    /**
     * What to tell of {@code failure}: itself, unless there is more to say. Another upload of the same file may have
     * taken the folder away, or a name quota be too small for the way of writing.
     */
    IOException explain(IOException failure, String name) {
        if (failure instanceof NSQuotaExceededException) {
            return new PathIOException(name, firstLine(failure) + "; -t 1 needs the fewest names", failure);
        }
        try {
            if (fs.exists(files)) {
                return failure;
            }
        } catch (IOException e) {
            return failure;
        }
        return new PathIOException(
                name, "another upload of the same file took the place of this one: run one at a time", failure);
    }

    /** What HDFS says, without where in the NameNode. */
    static String firstLine(IOException failure) {
        return String.valueOf(failure.getMessage()).lines().findFirst().orElse("");
    }

    private synchronized void delete() throws IOException {
        ended = true;
        fs.delete(files, true);
        try {
            fs.delete(folder, false);
        } catch (PathIsNotEmptyDirectoryException e) {
            LOG.debug("{} is another upload's now", folder);
        }
    }

    /** A NameNode that is just starting again deletes nothing for some seconds. */
    private void deletePatiently() throws IOException {
        for (int attempt = 1; ; attempt++) {
            try {
                delete();
                return;
            } catch (SafeModeException | ConnectException e) {
                if (attempt == DELETE_ATTEMPTS || !pause()) {
                    throw new PathIOException(
                            folder.toString(), "is left over from a failed upload: delete it, or upload again", e);
                }
            }
        }
    }

    /** Whether it was not interrupted. */
    private static boolean pause() {
        try {
            TimeUnit.SECONDS.sleep(DELETE_PAUSE_SECONDS);
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void deleteAtExit() {
        try {
            delete();
        } catch (IOException e) {
            LOG.warn("{} could not be deleted: {}", folder, e.toString());
        }
    }

    private void forgetHook() {
        ShutdownHookManager hooks = ShutdownHookManager.get();
        if (!hooks.isShutdownInProgress()) {
            hooks.removeShutdownHook(hook);
        }
    }

    @Override
    public void close() throws IOException {
        forgetHook();
        deletePatiently();
    }
}
