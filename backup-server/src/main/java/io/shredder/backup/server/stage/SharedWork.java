// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.stage;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
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
        AtomicInteger number = new AtomicInteger();
        helpers = Executors.newFixedThreadPool(Math.max(1, workers - 1), work -> {
            Thread thread = new Thread(work, name + "-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
    }

    /** How many there are. */
    public int workers() {
        return workers;
    }

    /** Returns when all parts are done, or no more will be since one failed. */
    public void all(int parts, Part part) throws IOException {
        AtomicInteger next = new AtomicInteger();
        List<Future<?>> helped = new ArrayList<>();
        for (int helper = 1; helper < Math.min(workers, parts); helper++) {
            int worker = helper;
            helped.add(helpers.submit(() -> {
                work(worker, next, parts, part);
                return null;
            }));
        }
        try {
            work(0, next, parts, part);
        } finally {
            await(helped);
        }
    }

    private static void work(int worker, AtomicInteger next, int parts, Part part) throws IOException {
        try {
            for (int i = next.getAndIncrement(); i < parts; i = next.getAndIncrement()) {
                part.run(worker, i);
            }
        } catch (IOException | RuntimeException | Error e) {
            next.set(parts);
            throw e;
        }
    }

    /** All of them, since they work on what is the caller's. */
    private static void await(List<Future<?>> helped) throws IOException {
        IOException failure = null;
        boolean interrupted = false;
        for (Future<?> each : helped) {
            boolean ended = false;
            while (!ended) {
                try {
                    each.get();
                    ended = true;
                } catch (InterruptedException e) {
                    interrupted = true;
                } catch (ExecutionException e) {
                    failure = e.getCause() instanceof IOException known ? known : new IOException(e.getCause());
                    ended = true;
                }
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
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
