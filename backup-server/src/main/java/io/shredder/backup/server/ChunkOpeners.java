// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.client.Answers;
import io.shredder.backup.protocol.BadChunkException;
import io.shredder.backup.protocol.ChunkRef;
import io.shredder.backup.protocol.StoredChunk;
import io.shredder.backup.seal.ChunkOpener;
import io.shredder.backup.seal.PieceDigests;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.chunk.DigestAlgorithm;
import io.shredder.engine.MemoryDigests;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Fetches chunks, opens and proves them, some at a time, on a few threads of its own. The agent doesn't digest what it sends; of a chunk that can't be
 * proved it is asked again, and digests: so it is the agent who says where the damage is, and remembers.
 */
final class ChunkOpeners implements AutoCloseable {

    private static final int MAX_THREADS = 4;

    private final AgentClient agent;
    private final RepositoryKey key;
    private final Queue<ChunkOpener> idle = new ConcurrentLinkedQueue<>();
    private final Queue<ByteBuffer> free = new ConcurrentLinkedQueue<>();
    private final ExecutorService threads;

    /** Chunks that are proved; {@link #close} when they are not needed any more. */
    final class Opened implements AutoCloseable {
        private final List<StoredChunk> sealed;
        private final ByteBuffer memory;

        private Opened(List<StoredChunk> sealed, ByteBuffer memory) {
            this.sealed = sealed;
            this.memory = memory;
        }

        /** Their plain bytes, back to back from index 0 on; direct. */
        ByteBuffer plain() {
            return memory;
        }

        /** What was opened. */
        List<StoredChunk> sealed() {
            return sealed;
        }

        @Override
        public void close() {
            free.add(memory);
        }
    }

    /** The connection stays the caller's. */
    ChunkOpeners(AgentClient agent, RepositoryKey key) {
        this.agent = agent;
        this.key = key;
        AtomicInteger number = new AtomicInteger();
        int count = Math.min(MAX_THREADS, Runtime.getRuntime().availableProcessors());
        threads = Executors.newFixedThreadPool(count, task -> {
            Thread thread = new Thread(task, "restore-open-" + number.incrementAndGet());
            thread.setDaemon(true);
            return thread;
        });
    }

    /**
     * Fetches and opens these chunks; waits while the connection has no room for more. What is chained to the future runs on an opener's thread.
     */
    CompletableFuture<Opened> open(List<ChunkRef> refs) {
        List<CompletableFuture<StoredChunk>> fetched = agent.fetchUnproved(refs);
        return CompletableFuture.allOf(fetched.toArray(CompletableFuture[]::new))
                .thenApplyAsync(all -> opened(refs, fetched), threads);
    }

    private Opened opened(List<ChunkRef> refs, List<CompletableFuture<StoredChunk>> fetched) {
        List<StoredChunk> chunks = new ArrayList<>(refs.size());
        int bytes = 0;
        try {
            for (int i = 0; i < refs.size(); i++) {
                chunks.add(checkAsked(refs.get(i), fetched.get(i).join()));
                bytes += refs.get(i).length();
            }
            ByteBuffer memory = memory(bytes);
            prove(chunks, memory);
            return new Opened(chunks, memory);
        } catch (IOException e) {
            throw new CompletionException(e);
        }
    }

    private ByteBuffer memory(int bytes) {
        ByteBuffer known = free.poll();
        return known != null && known.capacity() >= bytes
                ? known
                : ByteBuffer.allocateDirect(Math.max(bytes, RestoreBatch.MAX_BYTES));
    }

    /** Opens all, and asks again, once each, for those that can't be proved. */
    private void prove(List<StoredChunk> chunks, ByteBuffer memory) throws IOException {
        Set<ChunkRef> asked = new HashSet<>();
        while (true) {
            try {
                open(chunks, memory);
                return;
            } catch (BadChunkException e) {
                int bad = indexOf(e, chunks);
                ChunkRef ref = chunks.get(bad).ref();
                if (!asked.add(ref)) {
                    throw new IOException(
                            e.getMessage() + ", as the agent sent it: run 'shredder-backup verify' to see where", e);
                }
                chunks.set(bad, checkAsked(ref, Answers.await(agent.fetch(ref))));
            }
        }
    }

    private static int indexOf(BadChunkException bad, List<StoredChunk> chunks) {
        int index = 0;
        while (!chunks.get(index).ref().fingerprint().equals(bad.chunk())) {
            index++;
        }
        return index;
    }

    private static StoredChunk checkAsked(ChunkRef expected, StoredChunk chunk) throws IOException {
        if (!chunk.ref().equals(expected)) {
            throw new IOException("the agent sent chunk " + chunk.ref().fingerprint() + " for chunk "
                    + expected.fingerprint() + ": run 'shredder-backup verify'");
        }
        return chunk;
    }

    private void open(List<StoredChunk> chunks, ByteBuffer memory) throws BadChunkException, IOException {
        ChunkOpener taken = idle.poll();
        ChunkOpener opener = taken == null ? new ChunkOpener(key, digests()) : taken;
        try {
            opener.open(chunks, memory);
        } finally {
            idle.add(opener);
        }
    }

    private static PieceDigests digests() {
        return MemoryDigests.areAvailable()
                ? (data, lengths) -> MemoryDigests.of(DigestAlgorithm.SHA_256, data, lengths)
                : PieceDigests::oneByOne;
    }

    @Override
    public void close() {
        threads.shutdownNow();
        try {
            threads.awaitTermination(1, TimeUnit.MINUTES);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        idle.forEach(ChunkOpener::close);
    }
}
