// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.client.Answers;
import io.shredder.backup.protocol.ChunkRef;
import io.shredder.backup.protocol.ContentDigest;
import io.shredder.backup.protocol.SnapshotInfo;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The way back: page through a snapshot's pointers, fetch many chunks at once, prove each, write them in order. The target is committed
 * only if every chunk, their order and the length are proved. Chunks of zeros are not fetched at all.
 */
public final class RestoreSession {

    private static final int PAGE_REFS = 4096;
    private static final long MAX_PENDING_BYTES = 48L << 20;

    private final AgentClient agent;
    private final AtomicLong writtenBytes = new AtomicLong();
    private final Queue<Pending> pending = new ArrayDeque<>();
    private long pendingBytes;

    /** A chunk on its way, in the order of the image; no data for a chunk of zeros. */
    private record Pending(ChunkRef ref, Optional<CompletableFuture<byte[]>> data) {}

    /** The agent's connection is not closed by the session. */
    public RestoreSession(AgentClient agent) {
        this.agent = agent;
    }

    /** Restores; returns when the target is committed. */
    void run(SnapshotInfo snapshot, RestoreTarget target) throws IOException {
        ContentDigest digest = new ContentDigest(snapshot.params());
        ChunkRef zeros = zeros(snapshot.params().maxBytes());
        try (ChunkOpeners openers = new ChunkOpeners()) {
            for (long from = 0; from < snapshot.chunkCount(); ) {
                List<ChunkRef> page = agent.show(snapshot.id(), from, PAGE_REFS);
                if (page.isEmpty()) {
                    break;
                }
                for (ChunkRef ref : page) {
                    digest.add(ref);
                    fetch(ref, zeros, openers);
                    drain(MAX_PENDING_BYTES, target);
                }
                from += page.size();
            }
            drain(0, target);
        }
        if (!digest.finish().equals(snapshot.contentDigest()) || writtenBytes.get() != snapshot.imageBytes()) {
            throw new IOException("the agent's list of chunks of snapshot " + snapshot.name() + "@" + snapshot.id()
                    + " is not what was committed: run 'backup-server verify'");
        }
        target.commit();
    }

    /** The chunk that a long run of zeros is cut into. */
    private static ChunkRef zeros(int maxBytes) {
        return new ChunkRef(maxBytes, Fingerprint.ofData(ByteBuffer.allocate(maxBytes)));
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
