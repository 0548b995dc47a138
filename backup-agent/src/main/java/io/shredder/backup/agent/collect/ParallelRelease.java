// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.collect;

import io.shredder.backup.agent.container.ReleasableSpace;
import io.shredder.backup.agent.file.Span;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/**
 * Releases ranges of several containers at once, since a file system may wait for its disk with each. Threads of its
 * own, gone when it returns.
 */
final class ParallelRelease {

    private static final int THREADS = 8;

    private final ReleasableSpace space;

    ParallelRelease(ReleasableSpace space) {
        this.space = space;
    }

    /**
     * Releases all; what one failure leaves is released by the next {@link ReleasableSpace#prepare}, or when the
     * repository is opened.
     */
    void run(Map<Integer, List<Span>> ranges) throws IOException {
        ExecutorService threads = Executors.newFixedThreadPool(Math.min(THREADS, ranges.size()), work -> {
            Thread thread = new Thread(work, "container-release");
            thread.setDaemon(true);
            return thread;
        });
        try {
            List<Future<?>> running = new ArrayList<>();
            ranges.forEach((container, spans) -> running.add(threads.submit(() -> {
                space.release(container, spans);
                return null;
            })));
            for (Future<?> each : running) {
                await(each);
            }
        } finally {
            threads.shutdown();
        }
    }

    private static void await(Future<?> release) throws IOException {
        try {
            release.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException refused ? refused : new IOException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while space was released");
        }
    }
}
