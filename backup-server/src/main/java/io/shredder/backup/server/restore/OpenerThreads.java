// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.restore;

import com.google.common.util.concurrent.ThreadFactoryBuilder;
import io.shredder.backup.posix.ThreadNiceness;
import io.shredder.backup.server.stage.Cores;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * The threads that open chunks: one a core, as each goes best with a core's cache of its own, and one more where some
 * sleep until chunks have arrived or a disk has taken what they write. One thread says which it is.
 */
final class OpenerThreads implements Executor, AutoCloseable {

    private final Cores cores;
    private final ThreadPoolExecutor threads;

    /**
     * Of these cores.
     *
     * @param someSleep what {@link #someSleep} is told first
     */
    OpenerThreads(Cores cores, boolean someSleep) {
        this.cores = cores;
        ThreadFactory named = new ThreadFactoryBuilder()
                .setThreadFactory(task -> new Thread(() -> open(task)))
                .setNameFormat("restore-open-%d")
                .setDaemon(true)
                .build();
        int count = cores.opening(someSleep);
        threads = new ThreadPoolExecutor(count, count, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), named);
    }

    /** Gives way to those who fetch. */
    private static void open(Runnable task) {
        ThreadNiceness.giveWay();
        task.run();
    }

    /** From now on this is so; one too many ends when it is done with what it does. */
    void someSleep(boolean so) {
        int count = cores.opening(so);
        if (count > threads.getMaximumPoolSize()) {
            threads.setMaximumPoolSize(count);
            threads.setCorePoolSize(count);
        } else if (count < threads.getMaximumPoolSize()) {
            threads.setCorePoolSize(count);
            threads.setMaximumPoolSize(count);
        }
    }

    @Override
    public void execute(Runnable task) {
        threads.execute(task);
    }

    /** What waits is never run; what runs is interrupted and waited for. */
    @Override
    public void close() {
        threads.shutdownNow();
        try {
            threads.awaitTermination(1, TimeUnit.MINUTES);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
