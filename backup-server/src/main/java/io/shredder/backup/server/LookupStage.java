// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.protocol.ChunkRef;
import io.shredder.backup.seal.ChunkIdentity;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/**
 * Gathers chunks into groups, asks the agent about each group without waiting, and hands the group on. A chunk that this backup has seen
 * a short while ago is not asked about again, so runs of zeros cost no look-up and no copy. Runs on the thread that chunks.
 */
final class LookupStage {

    private static final int REMEMBERED = 1 << 16;

    private final AgentClient agent;
    private final Pipe<ChunkGroup> toForward;
    private final Pipe<ChunkGroup> toRecord;
    private final ChunkIdentity identities;
    private final Map<Fingerprint, Fingerprint> seen = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Fingerprint, Fingerprint> eldest) {
            return size() > REMEMBERED;
        }
    };
    private ChunkGroup group = new ChunkGroup();

    LookupStage(AgentClient agent, RepositoryKey key, Pipe<ChunkGroup> toForward, Pipe<ChunkGroup> toRecord) {
        this.agent = agent;
        this.identities = new ChunkIdentity(key);
        this.toForward = toForward;
        this.toRecord = toRecord;
    }

    /**
     * Takes the next chunk.
     *
     * @param sha256 of its bytes
     * @param data its bytes, valid during the call only
     */
    void accept(Fingerprint sha256, ByteBuffer data) throws IOException {
        Fingerprint known = seen.get(sha256);
        Fingerprint identity = known == null ? identities.of(sha256) : known;
        group.add(new ChunkRef(data.remaining(), identity));
        if (known == null) {
            seen.put(sha256, identity);
            byte[] plain = new byte[data.remaining()];
            data.get(plain);
            group.addCandidate(new ChunkGroup.Candidate(identity, plain));
        }
        if (group.isFull()) {
            handOn();
        }
    }

    /** The image has ended. */
    void finish() throws IOException {
        if (!group.isEmpty()) {
            handOn();
        }
        toForward.close();
        toRecord.close();
    }

    private void handOn() throws IOException {
        ChunkGroup full = group;
        group = new ChunkGroup();
        if (full.candidates().isEmpty()) {
            full.ask(CompletableFuture.completedFuture(new java.util.BitSet()));
        } else {
            full.ask(agent.lookup(full.candidates().stream()
                    .map(ChunkGroup.Candidate::identity)
                    .toList()));
        }
        toRecord.put(full);
        toForward.put(full);
    }
}
