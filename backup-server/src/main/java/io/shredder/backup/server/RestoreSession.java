// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.protocol.ChunkRef;
import io.shredder.backup.protocol.SnapshotInfo;
import io.shredder.backup.seal.ChunkIdentity;
import io.shredder.backup.seal.Pointer;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.chunk.ChunkingParams;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The way back: page through a snapshot's list, fetch many chunks at once, prove each, write them where they belong. The target is committed
 * only if every chunk, their order and the length are proved by their seals. Chunks of zeros are not fetched at all.
 */
public final class RestoreSession {

    private final AgentClient agent;
    private final RepositoryKey key;
    private final AtomicLong writtenBytes = new AtomicLong();

    /** The agent's connection is not closed by the session. */
    public RestoreSession(AgentClient agent, RepositoryKey key) {
        this.agent = agent;
        this.key = key;
    }

    /** Restores; returns when the target is committed. */
    void run(SnapshotInfo snapshot, RestoreTarget target) throws IOException {
        SnapshotPointers pointers = new SnapshotPointers(agent, key, snapshot);
        ChunkingParams params = pointers.summary().params();
        ChunkRef zeros = zeros(params);
        try (ChunkOpeners openers = new ChunkOpeners(agent, key, params.digest())) {
            RestoreSteps steps = new RestoreSteps(openers, target, agent::windowBytes, writtenBytes);
            for (List<Pointer> page = pointers.nextPage(); !page.isEmpty(); page = pointers.nextPage()) {
                for (Pointer pointer : page) {
                    if (pointer.chunk().equals(zeros)) {
                        steps.zeros(pointer.length());
                    } else {
                        steps.bytes(pointer);
                    }
                }
            }
            steps.finish();
        }
        if (writtenBytes.get() != snapshot.imageBytes()) {
            throw new IOException("snapshot " + snapshot.name() + "@" + snapshot.id() + " has " + writtenBytes.get()
                    + " bytes of chunks, not " + snapshot.imageBytes() + ": use another snapshot");
        }
        target.commit(snapshot.imageBytes());
    }

    /** The chunk that a long run of zeros is cut into. */
    private ChunkRef zeros(ChunkingParams params) throws IOException {
        ChunkIdentity identities = new ChunkIdentity(key, params.digest());
        return new ChunkRef(params.maxBytes(), identities.ofData(ByteBuffer.allocate(params.maxBytes())));
    }

    /** How much has been written so far; for progress, from any thread. */
    public long writtenBytes() {
        return writtenBytes.get();
    }
}
