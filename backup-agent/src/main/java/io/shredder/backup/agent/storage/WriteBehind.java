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
 * Has the disk take what was appended while more is appended, so that little is left to wait for when all must be durable. Promises nothing by
 * itself. One caller at a time; a thread of its own, {@code container-write-behind}.
 */
final class WriteBehind implements Closeable {

    private final ExecutorService thread = Executors.newSingleThreadExecutor(work -> {
        Thread started = new Thread(work, "container-write-behind");
        started.setDaemon(true);
        return started;
    });
    private Future<?> running = CompletableFuture.completedFuture(null);

    /** Starts on this file, unless the disk is still busy with what was started before. */
    void start(FileChannel file) throws IOException {
        if (running.isDone()) {
            await();
            running = thread.submit(() -> {
                file.force(false);
                return null;
            });
        }
    }

    /**
     * Waits for what was started last. To be called before the file is closed.
     *
     * @throws IOException if the disk refused it; the system says so once only, and then nothing is known about what was appended
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

    @Override
    public void close() {
        thread.shutdown();
    }
}
