// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.workers;

import com.google.common.util.concurrent.ThreadFactoryBuilder;
import com.google.common.util.concurrent.Uninterruptibles;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executor;
import java.util.concurrent.Future;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Threads that all sessions of a repository share for work that comes in pieces, first come, first served: as many as
 * the machine has cores, or fewer if somebody said so. What they do never waits for another piece. They are never
 * interrupted, since that would close the files that they read.
 */
public final class Workers implements Executor, Closeable {

    private static final long IDLE_SECONDS = 10;

    private final ThreadPoolExecutor threads;

    /** One piece of several. */
    public interface Piece {
        void run(int number) throws IOException;
    }

    /** As many as there are cores. */
    public static Workers usual() {
        return new Workers(Runtime.getRuntime().availableProcessors());
    }

    public Workers(int count) {
        ThreadFactory named = new ThreadFactoryBuilder()
                .setNameFormat("agent-work-%d")
                .setDaemon(true)
                .build();
        threads = new ThreadPoolExecutor(
                count, count, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), named);
        threads.allowCoreThreadTimeOut(true);
    }

    /** No more than so many pieces are done at once, but for a last one that a thread too many may have been given. */
    public void limit(int count) {
        if (count < threads.getCorePoolSize()) {
            threads.setCorePoolSize(count);
            threads.setMaximumPoolSize(count);
        } else {
            threads.setMaximumPoolSize(count);
            threads.setCorePoolSize(count);
        }
    }

    /** How many pieces are done at once. */
    public int count() {
        return threads.getMaximumPoolSize();
    }

    /** Begins a piece of work; {@link #result} waits for it. */
    <T> Future<T> begin(Callable<T> work) {
        return threads.submit(work);
    }

    /** Begins a piece of work. */
    @Override
    public void execute(Runnable work) {
        threads.execute(work);
    }

    /** Does pieces 0 to {@code count} - 1, and returns when all of them are over: the first that failed says so. */
    public void doAll(int count, Piece piece) throws IOException {
        List<Future<Boolean>> begun = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int number = i;
            begun.add(begin(() -> {
                piece.run(number);
                return true;
            }));
        }
        begun.forEach(Workers::awaitEnd);
        for (Future<Boolean> each : begun) {
            result(each);
        }
    }

    /** What came of a piece of work; waits for it. */
    static <T> T result(Future<T> work) throws IOException {
        awaitEnd(work);
        try {
            return work.get();
        } catch (InterruptedException e) {
            throw new IllegalStateException("it is over", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException io) {
                throw io;
            } else if (e.getCause() instanceof RuntimeException bug) {
                throw bug;
            }
            throw new IllegalStateException(e.getCause());
        }
    }

    /** Waits until a piece of work is over; whoever interrupts waits, too. */
    public static void awaitEnd(Future<?> work) {
        try {
            Uninterruptibles.getUninterruptibly(work);
        } catch (ExecutionException e) {
            // Whoever asks for the result is told.
        }
    }

    /** Nobody may begin anything any more; waits for what goes on. */
    @Override
    public void close() {
        threads.shutdown();
        Uninterruptibles.awaitTerminationUninterruptibly(threads);
    }
}
