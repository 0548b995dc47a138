// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.stage;

import com.google.common.util.concurrent.ThreadFactoryBuilder;
import com.google.common.util.concurrent.Uninterruptibles;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.FutureTask;
import java.util.concurrent.atomic.AtomicInteger;

/** Threads that help another one with work that can be split. For one thread at a time. */
public final class SharedWork implements AutoCloseable {

    private final int workers;
    private final ExecutorService helpers;

    /** One of the parts of some work. */
    @FunctionalInterface
    public interface Part {
        /**
         * Does it.
         *
         * @param worker who does it, from 0 on: each one at a time
         * @param part which, from 0 on
         */
        void run(int worker, int part) throws IOException;
    }

    /**
     * Threads are started as they are needed.
     *
     * @param workers at least 1, whoever asks among them
     * @param name of the threads, before their numbers
     */
    public SharedWork(int workers, String name) {
        this.workers = workers;
        helpers = Executors.newFixedThreadPool(
                Math.max(1, workers - 1),
                new ThreadFactoryBuilder()
                        .setNameFormat(name + "-%d")
                        .setDaemon(true)
                        .build());
    }

    /** How many there are. */
    public int workers() {
        return workers;
    }

    /** What is to be done with a part that is done. */
    @FunctionalInterface
    public interface Then {
        /** Does it with the part of this number. */
        void take(int part) throws IOException;
    }

    /** Has a helper do some work while the caller goes on; where there is none, it is done when this returns. */
    public <T> Future<T> begin(Callable<T> some) {
        if (workers > 1) {
            return helpers.submit(some);
        }
        FutureTask<T> done = new FutureTask<>(some);
        done.run();
        return done;
    }

    /** Returns when all parts are done, or no more will be since one failed. */
    public void all(int parts, Part part) throws IOException {
        inOrder(parts, part, done -> {});
    }

    /**
     * The same, and the caller's thread takes each part when it is done, one after the other, while others are worked
     * on. Where a part isn't done yet, it works on one itself.
     */
    public void inOrder(int parts, Part part, Then then) throws IOException {
        Job job = new Job(parts, part);
        List<Future<?>> helped = new ArrayList<>();
        for (int helper = 1; helper < Math.min(workers, parts); helper++) {
            int worker = helper;
            helped.add(helpers.submit(() -> {
                while (job.doOne(worker)) {
                    // The next one, too.
                }
            }));
        }
        try {
            for (int i = 0; i < parts; i++) {
                job.await(i);
                then.take(i);
            }
        } finally {
            job.end();
            await(helped);
        }
    }

    /** Parts that several threads do. They are begun in order, so none waits behind one that is not begun. */
    private static final class Job {
        private final Part part;
        private final List<CompletableFuture<Void>> done = new ArrayList<>();
        private final AtomicInteger next = new AtomicInteger();

        Job(int parts, Part part) {
            this.part = part;
            for (int i = 0; i < parts; i++) {
                done.add(new CompletableFuture<>());
            }
        }

        /** Does the next part, or learns that none is left. */
        boolean doOne(int worker) {
            int number = next.getAndIncrement();
            if (number >= done.size()) {
                return false;
            }
            try {
                part.run(worker, number);
                done.get(number).complete(null);
            } catch (IOException | RuntimeException | Error e) {
                end();
                done.get(number).completeExceptionally(e);
            }
            return true;
        }

        /** Returns once a part is done; on the caller's thread, which does others meanwhile. */
        void await(int number) throws IOException {
            CompletableFuture<Void> awaited = done.get(number);
            while (!awaited.isDone() && doOne(0)) {
                // Another one.
            }
            try {
                awaited.join();
            } catch (CompletionException e) {
                throw e.getCause() instanceof IOException known ? known : new IOException(e.getCause());
            }
        }

        /** No other part is begun. */
        void end() {
            next.set(done.size());
        }
    }

    /** All of them, since they work on what is the caller's. */
    private static void await(List<Future<?>> helped) throws IOException {
        IOException failure = null;
        for (Future<?> each : helped) {
            try {
                Uninterruptibles.getUninterruptibly(each);
            } catch (ExecutionException e) {
                failure = e.getCause() instanceof IOException known ? known : new IOException(e.getCause());
            }
        }
        if (failure != null) {
            throw failure;
        }
    }

    @Override
    public void close() {
        helpers.shutdown();
    }
}
