// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.transfer;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.client.AgentException;
import io.shredder.backup.client.AgentException.Kind;
import io.shredder.backup.client.Answers;
import io.shredder.backup.region.ChunkRef;
import io.shredder.backup.region.StoredRegion;
import io.shredder.backup.seal.Pointer;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.server.restore.ChunkFetcher;
import io.shredder.backup.server.restore.RestoreBatch;
import io.shredder.backup.server.stage.Cores;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Brings sealed chunks from one agent to another as they are: fetches many at once, proves each with the key, puts it.
 * Neither agent has to be trusted, and neither learns anything. One thread asks; what touches the bytes is done on an
 * opener's.
 */
final class ChunkTransfer implements AutoCloseable {

    private static final long LEAST_PENDING_BYTES = 32L << 20;

    private final AgentClient to;
    private final ChunkFetcher fetcher;
    private final long mostPendingBytes;
    private final Queue<Moving> moving = new ArrayDeque<>();
    private final Queue<Kept> put = new ArrayDeque<>();
    private final List<String> failures = new ArrayList<>();
    private final AtomicLong movedChunks = new AtomicLong();
    private final AtomicLong movedBytes = new AtomicLong();
    private RestoreBatch batch = new RestoreBatch(0);
    private long pendingBytes;
    private long batches;

    /** Chunks on their way here together, and then on their way there. */
    private record Moving(long batch, List<ChunkRef> chunks, CompletableFuture<Sent> sent) {}

    /** Regions that were proved and put, so many stored bytes. */
    private record Sent(long bytes, CompletableFuture<Void> kept) {}

    /** Of a batch: complete once it is kept there. */
    private record Kept(long batch, CompletableFuture<Void> done) {}

    /** The connections stay the caller's. */
    ChunkTransfer(AgentClient from, AgentClient to, RepositoryKey key, Cores cores) {
        to.allowConnections(cores.chunkConnections());
        this.to = to;
        this.fetcher = new ChunkFetcher(from, key, cores);
        this.mostPendingBytes = Math.max(LEAST_PENDING_BYTES, 2L * cores.opening(true) * RestoreBatch.MAX_BYTES);
    }

    /** Brings one over, some time until {@link #finish}: best those together that lie together in an image. */
    void bring(ChunkRef ref) throws IOException {
        if (!batch.hasRoomFor(ref)) {
            beginBatch();
        }
        batch.add(Pointer.to(ref));
    }

    /** All that was to be brought so far, for {@link #finish(long)}. */
    long mark() throws IOException {
        beginBatch();
        return batches;
    }

    /** Waits until all are kept there, or have failed. */
    void finish() throws IOException {
        finish(mark());
    }

    /** The same of what was to be brought up to a mark; the rest may be on its way still. */
    void finish(long mark) throws IOException {
        while (!moving.isEmpty() && moving.element().batch() <= mark) {
            endNext();
        }
        while (!put.isEmpty() && put.element().batch() <= mark) {
            Answers.await(put.remove().done());
        }
    }

    private void beginBatch() throws IOException {
        RestoreBatch full = batch;
        batch = new RestoreBatch(0);
        if (full.chunkBytes() > 0) {
            batches++;
            moving.add(move(batches, full.chunks()));
            pendingBytes += full.chunkBytes();
            while (pendingBytes > mostPendingBytes) {
                endNext();
            }
        }
    }

    private Moving move(long number, List<ChunkRef> chunks) {
        return new Moving(number, chunks, fetcher.fetch(chunks, 0).thenApply(fetched -> {
            try (fetched) {
                return send(fetched.sealed());
            }
        }));
    }

    /** Their bytes are taken when this returns. */
    private Sent send(List<StoredRegion> regions) {
        List<CompletableFuture<Void>> puts = new ArrayList<>();
        long bytes = 0;
        for (StoredRegion region : regions) {
            puts.add(to.put(region));
            bytes += region.stored().length();
        }
        return new Sent(bytes, CompletableFuture.allOf(puts.toArray(CompletableFuture[]::new)));
    }

    private void endNext() throws IOException {
        Moving next = moving.remove();
        pendingBytes -= StoredRegion.plainBytes(next.chunks());
        end(next);
    }

    /** If some can't be had, each is fetched by itself: one bad chunk is not to keep the others away. */
    private void end(Moving next) throws IOException {
        Sent sent;
        try {
            sent = Answers.await(next.sent());
        } catch (IOException e) {
            if (e instanceof AgentException failure && failure.kind() != Kind.REFUSED) {
                throw e;
            }
            if (next.chunks().size() == 1) {
                failures.add(String.valueOf(e.getMessage()));
            } else {
                for (ChunkRef chunk : next.chunks()) {
                    end(move(next.batch(), List.of(chunk)));
                }
            }
            return;
        }
        put.add(new Kept(next.batch(), sent.kept()));
        movedBytes.addAndGet(sent.bytes());
        movedChunks.addAndGet(next.chunks().size());
        while (put.size() > 1 && put.element().done().isDone()) {
            Answers.await(put.remove().done());
        }
    }

    /** A line for each chunk that the first agent doesn't have whole. */
    List<String> failures() {
        return failures;
    }

    /** How many were put; from any thread. */
    long movedChunks() {
        return movedChunks.get();
    }

    /** Their stored bytes; from any thread. */
    long movedBytes() {
        return movedBytes.get();
    }

    @Override
    public void close() {
        fetcher.close();
    }
}
