// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.client.AgentException;
import io.shredder.backup.client.AgentException.Kind;
import io.shredder.backup.client.Answers;
import io.shredder.backup.protocol.ChunkRef;
import io.shredder.backup.protocol.StoredRegion;
import io.shredder.backup.seal.Pointer;
import io.shredder.backup.seal.RepositoryKey;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Brings sealed chunks from one agent to another as they are: fetches many at once, proves each with the key, puts it. Neither agent has to be
 * trusted, and neither learns anything. One thread.
 */
final class ChunkTransfer implements AutoCloseable {

    private static final long MAX_PENDING_BYTES = 32L << 20;

    private final AgentClient to;
    private final ChunkOpeners openers;
    private final Queue<Fetched> fetched = new ArrayDeque<>();
    private final Queue<CompletableFuture<Void>> put = new ArrayDeque<>();
    private final List<String> failures = new ArrayList<>();
    private final AtomicLong movedChunks = new AtomicLong();
    private final AtomicLong movedBytes = new AtomicLong();
    private RestoreBatch batch = new RestoreBatch(0);
    private long pendingBytes;

    /** Chunks on their way here together, complete once they are proved. */
    private record Fetched(List<ChunkRef> chunks, CompletableFuture<List<StoredRegion>> regions) {}

    /** The connections stay the caller's. */
    ChunkTransfer(AgentClient from, AgentClient to, RepositoryKey key, Cores cores) {
        to.allowConnections(cores.chunkConnections());
        this.to = to;
        this.openers = new ChunkOpeners(from, key, cores);
    }

    /** Brings one over, some time until {@link #finish}: best those together that lie together in an image. */
    void bring(ChunkRef ref) throws IOException {
        if (!batch.hasRoomFor(ref)) {
            fetchBatch();
        }
        batch.add(Pointer.to(ref));
    }

    /** Waits until all are kept there, or have failed. */
    void finish() throws IOException {
        fetchBatch();
        forward(0);
        while (!put.isEmpty()) {
            Answers.await(put.remove());
        }
    }

    private void fetchBatch() throws IOException {
        RestoreBatch full = batch;
        batch = new RestoreBatch(0);
        if (full.chunkBytes() > 0) {
            fetched.add(fetch(full.chunks()));
            pendingBytes += full.chunkBytes();
            forward(MAX_PENDING_BYTES);
        }
    }

    private Fetched fetch(List<ChunkRef> chunks) {
        return new Fetched(chunks, openers.open(chunks, 0).thenApply(opened -> {
            try (opened) {
                return opened.takeSealed();
            }
        }));
    }

    private void forward(long allowedBytes) throws IOException {
        while (pendingBytes > allowedBytes) {
            Fetched next = fetched.remove();
            pendingBytes -= StoredRegion.plainBytes(next.chunks());
            forward(next);
        }
    }

    /** If some can't be had, each is fetched by itself: one bad chunk is not to keep the others away. */
    private void forward(Fetched next) throws IOException {
        List<StoredRegion> regions;
        try {
            regions = Answers.await(next.regions());
        } catch (IOException e) {
            if (e instanceof AgentException failure && failure.kind() != Kind.REFUSED) {
                throw e;
            }
            if (next.chunks().size() == 1) {
                failures.add(String.valueOf(e.getMessage()));
            } else {
                for (ChunkRef chunk : next.chunks()) {
                    forward(fetch(List.of(chunk)));
                }
            }
            return;
        }
        for (StoredRegion region : regions) {
            put.add(to.put(region));
            movedBytes.addAndGet(region.stored().length());
        }
        movedChunks.addAndGet(next.chunks().size());
        while (put.size() > 1 && put.element().isDone()) {
            Answers.await(put.remove());
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
        openers.close();
    }
}
