// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.client.Answers;
import io.shredder.backup.protocol.ChunkRef;
import io.shredder.backup.protocol.SnapshotInfo;
import io.shredder.backup.seal.ChunkIdentity;
import io.shredder.backup.seal.RepositoryKey;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
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
    private long pendingBytes;

    /** A chunk on its way, in the order of the image; no data for a chunk of zeros. */
    private record Pending(ChunkRef ref, Optional<CompletableFuture<byte[]>> data) {}

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
            for (List<ChunkRef> page = pointers.nextPage(); !page.isEmpty(); page = pointers.nextPage()) {
                for (ChunkRef ref : page) {
                    fetch(ref, zeros, openers);
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

    private void fetch(ChunkRef ref, ChunkRef zeros, ChunkOpeners openers) {
        if (ref.equals(zeros)) {
            pending.add(new Pending(ref, Optional.empty()));
        } else {
            pending.add(new Pending(ref, Optional.of(openers.open(ref, agent.fetch(ref)))));
            pendingBytes += ref.length();
        }
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
                pendingBytes -= next.ref().length();
            } else {
                target.writeZeros(next.ref().length());
            }
            writtenBytes.addAndGet(next.ref().length());
        }
    }

    /** How much has been written so far; for progress, from any thread. */
    public long writtenBytes() {
        return writtenBytes.get();
    }
}
