// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.storage;

import java.io.Closeable;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Has the disk take what was appended while more is appended, so that little is left to wait for when all must be
 * durable. Promises nothing by itself. Threads of its own, {@code container-write-behind}, at most one for each file
 * that grows.
 */
final class WriteBehind implements Closeable {

    private final ExecutorService threads = Executors.newCachedThreadPool(work -> {
        Thread started = new Thread(work, "container-write-behind");
        started.setDaemon(true);
        return started;
    });

    /** The part of one file. */
    OfFile of(FileChannel file) {
        return new OfFile(threads, file);
    }

    /** One caller at a time. */
    static final class OfFile {

        private final ExecutorService threads;
        private final FileChannel file;
        private Future<?> running = CompletableFuture.completedFuture(null);

        private OfFile(ExecutorService threads, FileChannel file) {
            this.threads = threads;
            this.file = file;
        }

        /** Starts, unless the disk is still busy with what was started before. */
        void start() throws IOException {
            if (running.isDone()) {
                await();
                running = threads.submit(() -> {
                    file.force(false);
                    return null;
                });
            }
        }

        /**
         * Waits for what was started last. To be called before the file is closed.
         *
         * @throws IOException if the disk refused it; the system says so once only, and then nothing is known about
         *     what was appended
         */
        void await() throws IOException {
            try {
                running.get();
            } catch (ExecutionException e) {
                throw e.getCause() instanceof IOException refused ? refused : new IOException(e.getCause());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted while the disk was written", e);
            }
        }
    }

    @Override
    public void close() {
        threads.shutdown();
    }
}
