// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.reader;

import io.shredder.backup.server.restore.ChunkFetcher;
import io.shredder.backup.server.restore.RestoreBatch;
import io.shredder.backup.server.snapshot.RegionBounds;
import io.shredder.backup.server.stage.Cores;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Fetches stretches of an image into the cache. What several readers wait for is fetched once; what waits at the same
 * time is asked for together. What somebody waits for goes before what is read ahead. A thread, {@code reader-fetch},
 * asks; chunks are opened by the fetcher's threads. What was asked for by a connection that is lost is asked for again.
 * Where one of several stretches is damaged, each is tried alone. Safe for several threads.
 */
final class StretchFetches implements Closeable {

    /** Times what is under way on the connections, or opened at once: as a restore has it. */
    private static final int PENDING = 2;

    /** Stretches, at least, that may wait to be fetched ahead; together they take a quarter of the cache. */
    private static final int LEAST_AHEAD = 16;

    private final AgentLink link;
    private final StretchCache cache;
    private final Cores cores;
    private final long patienceNs;
    private final DamageFinder damage;
    private final int mostAhead;
    private final Thread thread = new Thread(this::dispatch, "reader-fetch");

    private final Map<Long, StretchLoad> loading = new HashMap<>();

    private final ArrayDeque<StretchLoad> wanted = new ArrayDeque<>();

    private final ArrayDeque<StretchLoad> ahead = new ArrayDeque<>();

    private long underWay;

    private boolean closed;

    StretchFetches(AgentLink link, StretchCache cache, ReaderOptions options, DamageFinder damage) {
        this.link = link;
        this.cache = cache;
        this.cores = options.cores();
        this.patienceNs = options.patience().toNanos();
        this.damage = damage;
        this.mostAhead = (int) Math.max(LEAST_AHEAD, options.cacheBytes() / 4 / RegionBounds.MAX_BYTES);
        thread.setDaemon(true);
        thread.start();
    }

    /** Has a stretch fetched that somebody waits for. */
    synchronized CompletableFuture<Void> want(Stretch stretch) {
        StretchLoad known = loading.get(stretch.start());
        if (known == null) {
            known = queue(stretch, wanted);
        } else if (ahead.remove(known)) {
            wanted.add(known);
        }
        return known.done();
    }

    /** Has a stretch fetched that somebody may want soon, unless much waits already. */
    synchronized void prepare(Stretch stretch) {
        if (ahead.size() < mostAhead && !loading.containsKey(stretch.start())) {
            queue(stretch, ahead);
        }
    }

    private StretchLoad queue(Stretch stretch, ArrayDeque<StretchLoad> to) {
        StretchLoad load = new StretchLoad(stretch);
        if (closed) {
            load.done().completeExceptionally(new IOException("the reader is closed"));
            return load;
        }
        loading.put(stretch.start(), load);
        to.add(load);
        notifyAll();
        return load;
    }

    private void dispatch() {
        try {
            for (FetchBatch batch = next(); batch != null; batch = next()) {
                send(batch);
            }
        } catch (InterruptedException e) {
            // Closed.
        }
    }

    /** Waits for work; none once this is closed. */
    private synchronized @Nullable FetchBatch next() throws InterruptedException {
        while (!closed && wanted.isEmpty() && ahead.isEmpty()) {
            wait();
        }
        if (closed) {
            return null;
        }
        FetchBatch batch = new FetchBatch();
        fill(batch, wanted);
        fill(batch, ahead);
        return batch;
    }

    private static void fill(FetchBatch batch, ArrayDeque<StretchLoad> from) {
        while (!from.isEmpty() && batch.hasRoomFor(from.peek())) {
            batch.add(from.remove());
        }
    }

    private void send(FetchBatch batch) throws InterruptedException {
        AgentLink.Way way;
        try {
            way = link.way();
        } catch (IOException e) {
            batch.loads().forEach(load -> fail(load, e));
            return;
        }
        awaitRoom(way, batch.chunkBytes());
        var unused = way.fetch(batch.chunks()).whenComplete((fetched, error) -> {
            try {
                if (error == null) {
                    keep(batch, fetched);
                } else {
                    retry(way, batch, cause(error));
                }
            } catch (RuntimeException e) {
                batch.loads().forEach(load -> fail(load, e));
            } finally {
                leave(batch.chunkBytes());
            }
        });
    }

    private synchronized void awaitRoom(AgentLink.Way way, int bytes) throws InterruptedException {
        long most = PENDING * Math.max(way.windowBytes(), (long) cores.opening(true) * RestoreBatch.MAX_BYTES);
        while (underWay > 0 && underWay + bytes > most) {
            wait();
        }
        underWay += bytes;
    }

    private synchronized void leave(int bytes) {
        underWay -= bytes;
        notifyAll();
    }

    private void keep(FetchBatch batch, ChunkFetcher.Fetched fetched) {
        try (fetched) {
            batch.keep(fetched.plain(), cache);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            batch.loads().forEach(load -> fail(load, new IOException("interrupted", e)));
            return;
        }
        batch.loads().forEach(this::succeed);
    }

    /** On a thread that must not wait. */
    private void retry(AgentLink.Way way, FetchBatch batch, Throwable error) {
        if (AgentLink.isLoss(error) || !link.isCurrent(way)) {
            link.lost(way);
            for (StretchLoad load : batch.loads()) {
                if (load.survivesLoss(patienceNs)) {
                    again(load);
                } else {
                    fail(load, error);
                }
            }
        } else if (batch.loads().size() > 1) {
            batch.loads().forEach(load -> {
                load.tryAlone();
                again(load);
            });
        } else {
            damage.find(batch.loads().get(0), way, error, this::succeed, this::fail, this::again);
        }
    }

    private synchronized void again(StretchLoad load) {
        if (closed) {
            fail(load, new IOException("the reader is closed"));
        } else {
            wanted.addFirst(load);
            notifyAll();
        }
    }

    private void succeed(StretchLoad load) {
        forget(load);
        load.done().complete(null);
    }

    private void fail(StretchLoad load, Throwable error) {
        forget(load);
        load.done().completeExceptionally(error);
    }

    private synchronized void forget(StretchLoad load) {
        loading.remove(load.stretch().start(), load);
    }

    static Throwable cause(Throwable error) {
        Throwable cause = error;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    /** What waits fails. */
    @Override
    public void close() {
        Map<Long, StretchLoad> left;
        synchronized (this) {
            closed = true;
            left = new HashMap<>(loading);
            wanted.clear();
            ahead.clear();
            notifyAll();
        }
        thread.interrupt();
        left.values().forEach(load -> fail(load, new IOException("the reader is closed")));
    }
}
