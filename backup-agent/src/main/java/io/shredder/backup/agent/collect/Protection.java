// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.collect;

import io.shredder.backup.agent.storage.Storage;
import io.shredder.backup.agent.storage.StoredFile;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
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
    /** Then it is the storage that fails. */
    private static final int MOST_FAILED = 64;

    private final Storage storage;
    private @Nullable Deque<String> left;
    /** They are tried again behind all others: a file may have been deleted in that moment. */
    private final Deque<String> failed = new ArrayDeque<>();

    private boolean again;
    private @Nullable IOException last;

    Protection(Storage storage) {
        this.storage = storage;
    }

    boolean isDone() {
        return !storage.protects() || (left != null && left.isEmpty());
    }

    /**
     * Protects some more.
     *
     * @throws IOException if some can't be, behind all others
     */
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
            Map<String, Future<?>> running = new LinkedHashMap<>();
            while (!files.isEmpty() && running.size() < FILES_PER_STEP) {
                String file = files.remove();
                running.put(file, threads.submit(() -> {
                    storage.protect(file);
                    return null;
                }));
            }
            for (Map.Entry<String, Future<?>> each : running.entrySet()) {
                note(each.getKey(), failure(each.getValue()));
            }
        } finally {
            threads.shutdownNow();
        }
        if (files.isEmpty() && !again) {
            files.addAll(failed);
            failed.clear();
            again = true;
        }
        if (files.isEmpty() && last != null && !failed.isEmpty()) {
            throw new IOException(
                    "the lock of " + failed.size() + " files is as it was, all others are locked anew: "
                            + last.getMessage(),
                    last);
        }
    }

    private void note(String file, Optional<IOException> failure) throws IOException {
        if (failure.isPresent()) {
            failed.add(file);
            last = failure.get();
            if (failed.size() > MOST_FAILED) {
                throw failure.get();
            }
        }
    }

    private static Optional<IOException> failure(Future<?> work) throws InterruptedIOException {
        try {
            work.get();
            return Optional.empty();
        } catch (ExecutionException e) {
            return Optional.of(e.getCause() instanceof IOException refused ? refused : new IOException(e.getCause()));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while files were protected");
        }
    }
}
