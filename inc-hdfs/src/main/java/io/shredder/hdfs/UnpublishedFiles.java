// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs;

import java.io.IOException;
import java.util.LinkedHashSet;
import java.util.Set;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Options.Rename;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.hdfs.DistributedFileSystem;
import org.apache.hadoop.util.ShutdownHookManager;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Files under temporary names, deleted by {@link #close} unless published before. If the process ends first, as by Ctrl-C,
 * a shutdown hook does it, before Hadoop's own closes the file system; {@code deleteOnExit} would miss a file that is just
 * being created. Its one other thread is the hook's.
 */
final class UnpublishedFiles implements AutoCloseable {

    private static final Logger LOG = LoggerFactory.getLogger(UnpublishedFiles.class);
    private static final int BEFORE_FILE_SYSTEMS_CLOSE = FileSystem.SHUTDOWN_HOOK_PRIORITY + 1;

    private final DistributedFileSystem fs;
    private final Runnable hook = this::deleteAtExit;
    private final Set<Path> files = new LinkedHashSet<>();
    private boolean ended;

    UnpublishedFiles(DistributedFileSystem fs) {
        this.fs = fs;
        ShutdownHookManager.get().addShutdownHook(hook, BEFORE_FILE_SYSTEMS_CLOSE);
    }

    /** Creates {@code file}, or replaces what an earlier process left under that name. */
    synchronized FSDataOutputStream create(Path file, long blockBytes) throws IOException {
        if (ended) {
            throw new IOException("the process is ending");
        }
        files.add(file);
        return fs.createFile(file).overwrite(true).blockSize(blockBytes).build();
    }

    /** Gives {@code file} its name, in one step, replacing a file of that name. */
    synchronized void publish(Path file, Path name) throws IOException {
        fs.rename(file, name, Rename.OVERWRITE);
        files.remove(file);
    }

    private synchronized void delete() throws IOException {
        ended = true;
        for (Path file : files) {
            fs.delete(file, false);
        }
        files.clear();
    }

    private void deleteAtExit() {
        try {
            delete();
        } catch (IOException e) {
            LOG.warn("{} could not be deleted: {}", files, e.toString());
        }
    }

    @Override
    public void close() throws IOException {
        ShutdownHookManager hooks = ShutdownHookManager.get();
        if (!hooks.isShutdownInProgress()) {
            hooks.removeShutdownHook(hook);
        }
        delete();
    }
}
