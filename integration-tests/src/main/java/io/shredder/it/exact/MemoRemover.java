// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.exact;

import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;

/** Removes a memo store again and again while a program runs. */
final class MemoRemover {
    private static final long PAUSE_MS = 150;

    /** Runs a program to its end. */
    @FunctionalInterface
    interface Running {
        Optional<String> run() throws IOException, InterruptedException;
    }

    private MemoRemover() {}

    /** Runs a program and removes the folder all the while. */
    static Optional<String> during(FileSystem fs, String folder, Running program)
            throws IOException, InterruptedException {
        var ended = new AtomicBoolean();
        var thread = new Thread(() -> removeUntil(ended, fs, new Path(folder)), "memo-remover");
        thread.setDaemon(true);
        thread.start();
        try {
            return program.run();
        } finally {
            ended.set(true);
            thread.join();
        }
    }

    private static void removeUntil(AtomicBoolean ended, FileSystem fs, Path folder) {
        while (!ended.get()) {
            try {
                fs.delete(folder, true);
                Thread.sleep(PAUSE_MS);
            } catch (IOException | InterruptedException e) {
                return;
            }
        }
    }
}
