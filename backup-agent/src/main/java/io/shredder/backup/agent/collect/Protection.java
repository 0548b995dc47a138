// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.collect;

import io.shredder.backup.agent.storage.Storage;
import io.shredder.backup.agent.storage.StoredFile;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * The end of a collection where files can't be deleted for a while: all that it left lives, so each of them is
 * protected anew. What it deleted loses its protection in time. One thread; others of its own while it works.
 */
final class Protection {

    private static final int THREADS = 8;
    private static final int FILES_PER_STEP = 400;

    private final Storage storage;
    private @Nullable Deque<String> left;

    Protection(Storage storage) {
        this.storage = storage;
    }

    boolean isDone() {
        return !storage.protects() || (left != null && left.isEmpty());
    }

    /** Protects some more. */
    void step() throws IOException {
        Deque<String> files = left;
        if (files == null) {
            files = new ArrayDeque<>();
            for (StoredFile file : storage.list("")) {
                files.add(file.name());
            }
            left = files;
        }
        ExecutorService threads = Executors.newFixedThreadPool(THREADS, work -> {
            Thread thread = new Thread(work, "store-protection");
            thread.setDaemon(true);
            return thread;
        });
        try {
            List<Future<?>> running = new ArrayList<>();
            while (!files.isEmpty() && running.size() < FILES_PER_STEP) {
                String file = files.remove();
                running.add(threads.submit(() -> {
                    storage.protect(file);
                    return null;
                }));
            }
            for (Future<?> each : running) {
                await(each);
            }
        } finally {
            threads.shutdownNow();
        }
    }

    private static void await(Future<?> work) throws IOException {
        try {
            work.get();
        } catch (ExecutionException e) {
            throw e.getCause() instanceof IOException refused ? refused : new IOException(e.getCause());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while files were protected");
        }
    }
}
