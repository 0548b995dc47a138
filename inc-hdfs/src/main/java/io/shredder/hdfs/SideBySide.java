// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** Does several files' work on as many threads, in their order, and waits for all. */
final class SideBySide {

    private SideBySide() {}

    /**
     * Runs all, so many at a time, on threads of its own.
     *
     * @param tasks each says itself what goes wrong with it
     * @throws IOException what a task threw nevertheless; those that have not begun are left out then
     * @throws InterruptedIOException if the calling thread is interrupted; those that run are, too, and are waited for
     */
    static void run(int atOnce, List<Callable<Void>> tasks) throws IOException {
        ExecutorService threads = Executors.newFixedThreadPool(atOnce, named());
        try {
            List<Future<Void>> running = new ArrayList<>();
            tasks.forEach(task -> running.add(threads.submit(task)));
            for (Future<Void> one : running) {
                one.get();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while files were copied");
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException failure ? failure : new IOException(e.getCause());
        } finally {
            threads.shutdownNow();
            awaitEnd(threads);
        }
    }

    private static ThreadFactory named() {
        AtomicInteger count = new AtomicInteger();
        return task -> new Thread(task, "upload-file-" + count.incrementAndGet());
    }

    private static void awaitEnd(ExecutorService threads) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    if (threads.awaitTermination(1, TimeUnit.MINUTES)) {
                        return;
                    }
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
