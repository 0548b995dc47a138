// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.client.Answers;
import io.shredder.backup.protocol.ChunkRef;
import io.shredder.backup.protocol.SnapshotInfo;
import io.shredder.backup.seal.ChunkIdentity;
import io.shredder.backup.seal.Pointer;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The way back: page through a snapshot's list, fetch many chunks at once, prove each, write them in order. The target is committed
 * only if every chunk, their order and the length are proved by their seals. Chunks of zeros are not fetched at all.
 */
public final class RestoreSession {

    /** Chunks are longer once they are opened. */
    private static final int PENDING_PER_WINDOW = 2;

    private final AgentClient agent;
    private final RepositoryKey key;
    private final AtomicLong writtenBytes = new AtomicLong();
    private final Queue<Pending> pending = new ArrayDeque<>();
    private final RecentChunks recent = new RecentChunks();
    private long pendingBytes;

    /** Bytes on their way, in the order of the image; no data for a chunk of zeros. */
    private record Pending(Pointer pointer, Optional<CompletableFuture<byte[]>> data) {}

    /** Chunks of which a part was wanted a short while ago: where little of a chunk has changed, its parts come one after another. */
    private static final class RecentChunks extends LinkedHashMap<Fingerprint, CompletableFuture<byte[]>> {
        private static final long serialVersionUID = 1L;
        private static final int MOST = 16;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Fingerprint, CompletableFuture<byte[]>> eldest) {
            return size() > MOST;
        }
    }

    /** The agent's connection is not closed by the session. */
    public RestoreSession(AgentClient agent, RepositoryKey key) {
        this.agent = agent;
        this.key = key;
    }

    /** Restores; returns when the target is committed. */
    void run(SnapshotInfo snapshot, RestoreTarget target) throws IOException {
        SnapshotPointers pointers = new SnapshotPointers(agent, key, snapshot);
        ChunkRef zeros = zeros(pointers.summary().params().maxBytes());
        try (ChunkOpeners openers = new ChunkOpeners(key)) {
            for (List<Pointer> page = pointers.nextPage(); !page.isEmpty(); page = pointers.nextPage()) {
                for (Pointer pointer : page) {
                    fetch(pointer, zeros, openers);
                    drain((long) PENDING_PER_WINDOW * agent.windowBytes(), target);
                }
            }
            drain(0, target);
        }
        if (writtenBytes.get() != snapshot.imageBytes()) {
            throw new IOException("snapshot " + snapshot.name() + "@" + snapshot.id() + " has " + writtenBytes.get()
                    + " bytes of chunks, not " + snapshot.imageBytes() + ": use another snapshot");
        }
        target.commit();
    }

    /** The chunk that a long run of zeros is cut into. */
    private ChunkRef zeros(int maxBytes) {
        return new ChunkRef(maxBytes, new ChunkIdentity(key).ofData(ByteBuffer.allocate(maxBytes)));
    }

    private void fetch(Pointer pointer, ChunkRef zeros, ChunkOpeners openers) {
        ChunkRef chunk = pointer.chunk();
        if (chunk.equals(zeros)) {
            pending.add(new Pending(pointer, Optional.empty()));
        } else {
            pending.add(new Pending(pointer, Optional.of(data(pointer, openers))));
            pendingBytes += pointer.length();
        }
    }

    private CompletableFuture<byte[]> data(Pointer pointer, ChunkOpeners openers) {
        ChunkRef chunk = pointer.chunk();
        if (pointer.isWhole()) {
            return openers.open(chunk, agent.fetch(chunk));
        }
        return recent.computeIfAbsent(chunk.fingerprint(), absent -> openers.open(chunk, agent.fetch(chunk)))
                .thenApply(bytes -> Arrays.copyOfRange(bytes, pointer.from(), pointer.from() + pointer.length()));
    }

    private void drain(long allowedBytes, RestoreTarget target) throws IOException {
        for (Pending next = pending.peek();
                next != null
                        && (allowedBytes == 0
                                || pendingBytes > allowedBytes
                                || next.data().isEmpty());
                next = pending.peek()) {
            pending.remove();
            if (next.data().isPresent()) {
                target.write(Answers.await(next.data().get()));
                pendingBytes -= next.pointer().length();
            } else {
                target.writeZeros(next.pointer().length());
            }
            writtenBytes.addAndGet(next.pointer().length());
        }
    }

    /** How much has been written so far; for progress, from any thread. */
    public long writtenBytes() {
        return writtenBytes.get();
    }
}
