// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.running;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Looks after the space for what a machine overwrites while its disks are held: without any, QEMU would fail the
 * guest's own writes. Rather the backup ends. A thread of its own, {@code backup-scratch}.
 */
final class ScratchWatch {

    /** What a quick machine may overwrite before its disks are let go. */
    static final long LEAST_BYTES = 1L << 30;

    private static final Logger LOG = LoggerFactory.getLogger(ScratchWatch.class);
    private static final long EVERY_MS = 200;

    private ScratchWatch() {}

    /** What holds the disks. */
    interface Work<T> {
        /** Does it. */
        T run() throws IOException;
    }

    /**
     * Looks while the work runs.
     *
     * @param backup ended when there is too little space
     * @throws IOException if there is too little before
     */
    static <T> T during(Path folder, RunningBackup backup, Work<T> work) throws IOException {
        FileStore store = Files.getFileStore(folder);
        if (store.getUsableSpace() < LEAST_BYTES) {
            throw new IOException(text(folder) + ": free some space, or name another folder with --scratch");
        }
        Thread thread = new Thread(() -> look(store, folder, backup), "backup-scratch");
        thread.setDaemon(true);
        thread.start();
        try {
            return work.run();
        } finally {
            thread.interrupt();
        }
    }

    private static String text(Path folder) {
        return "the file system of " + folder + " has less than " + (LEAST_BYTES >> 20) + " MiB left for what the"
                + " machine overwrites during its backup";
    }

    private static void look(FileStore store, Path folder, RunningBackup backup) {
        try {
            while (store.getUsableSpace() >= LEAST_BYTES) {
                Thread.sleep(EVERY_MS);
            }
            backup.giveUp(text(folder));
        } catch (IOException e) {
            LOG.warn("can't see how much space {} has: {}", folder, e.getMessage());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // The backup is through.
        }
    }
}
