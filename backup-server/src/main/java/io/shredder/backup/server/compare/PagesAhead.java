// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.compare;

import io.shredder.backup.server.cache.CacheReader;
import io.shredder.backup.server.cache.CachedRun;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;

/**
 * The pages of a cache, of which the next are read and opened by a thread of their own while one is used. One thread.
 */
final class PagesAhead implements AutoCloseable {

    private static final int PAGES = 2;
    private static final int LONGEST_READ_SECONDS = 60;

    private final CacheReader cache;
    private final Queue<Future<List<CachedRun>>> next = new ArrayDeque<>();
    private final ExecutorService reader = Executors.newSingleThreadExecutor(work -> {
        Thread thread = new Thread(work, "backup-cache-read");
        thread.setDaemon(true);
        return thread;
    });

    /** The cache stays the caller's, who does not use it before this is closed. */
    PagesAhead(CacheReader cache) {
        this.cache = cache;
    }

    /** As {@link CacheReader#nextPage}. */
    List<CachedRun> nextPage() throws IOException {
        while (next.size() < PAGES) {
            next.add(reader.submit(cache::nextPage));
        }
        try {
            return next.remove().get();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } catch (ExecutionException e) {
            if (e.getCause() instanceof IOException failure) {
                throw failure;
            }
            throw new IllegalStateException("can't read a cache: " + e.getCause(), e.getCause());
        }
    }

    /** Waits for a read under way. */
    @Override
    public void close() {
        next.forEach(page -> page.cancel(false));
        reader.shutdown();
        try {
            if (!reader.awaitTermination(LONGEST_READ_SECONDS, TimeUnit.SECONDS)) {
                reader.shutdownNow();
            }
        } catch (InterruptedException e) {
            reader.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
