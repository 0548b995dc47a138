// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.client.AgentException;
import io.shredder.backup.client.AgentException.Kind;
import io.shredder.backup.client.Answers;
import io.shredder.backup.protocol.ChunkRef;
import io.shredder.backup.protocol.StoredChunk;
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
    private long pendingBytes;

    /** A chunk on its way here, complete once it is proved. */
    private record Fetched(ChunkRef ref, CompletableFuture<StoredChunk> chunk) {}

    /** The connections stay the caller's. */
    ChunkTransfer(AgentClient from, AgentClient to, RepositoryKey key) {
        this.to = to;
        this.openers = new ChunkOpeners(from, key);
    }

    /** Brings one over, some time until {@link #finish}. */
    void bring(ChunkRef ref) throws IOException {
        CompletableFuture<StoredChunk> proved = openers.open(List.of(ref)).thenApply(opened -> {
            try (opened) {
                return opened.sealed().get(0);
            }
        });
        fetched.add(new Fetched(ref, proved));
        pendingBytes += ref.length();
        forward(MAX_PENDING_BYTES);
    }

    /** Waits until all are kept there, or have failed. */
    void finish() throws IOException {
        forward(0);
        while (!put.isEmpty()) {
            Answers.await(put.remove());
        }
    }

    private void forward(long allowedBytes) throws IOException {
        while (pendingBytes > allowedBytes) {
            Fetched next = fetched.remove();
            pendingBytes -= next.ref().length();
            try {
                StoredChunk chunk = Answers.await(next.chunk());
                put.add(to.put(chunk));
                movedChunks.incrementAndGet();
                movedBytes.addAndGet(chunk.stored().length());
            } catch (IOException e) {
                if (e instanceof AgentException failure && failure.kind() != Kind.REFUSED) {
                    throw e;
                }
                failures.add(String.valueOf(e.getMessage()));
            }
            while (put.size() > 1 && put.element().isDone()) {
                Answers.await(put.remove());
            }
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
