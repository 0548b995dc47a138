// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.protocol.ChunkRef;
import io.shredder.backup.seal.ChunkIdentity;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.server.source.SharedImage;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Gathers chunks into groups, asks the agent about each group without waiting, and hands the group on. A chunk that this backup has seen
 * a short while ago is not asked about again, so runs of zeros cost no look-up and no copy. Runs on the thread that chunks.
 */
final class LookupStage {

    private static final int REMEMBERED = 1 << 16;

    private final AgentClient agent;
    private final RepositoryKey key;
    private final Pipe<ChunkGroup> toForward;
    private final Pipe<ChunkGroup> toRecord;
    private final ChunkIdentity identities;
    private final ExpectedChunks expected;
    private final SharedImage image;
    /** Identities; the values mean nothing. */
    private final Map<Fingerprint, Boolean> seen = new LinkedHashMap<>() {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<Fingerprint, Boolean> eldest) {
            return size() > REMEMBERED;
        }
    };

    private final GroupData.Pool spare = new GroupData.Pool();
    private ChunkGroup group = new ChunkGroup(spare);

    private @Nullable Fingerprint lastSha256;
    private @Nullable Fingerprint lastIdentity;
    private long offset;

    LookupStage(
            AgentClient agent,
            RepositoryKey key,
            SharedImage image,
            ExpectedChunks expected,
            Pipe<ChunkGroup> toForward,
            Pipe<ChunkGroup> toRecord) {
        this.agent = agent;
        this.key = key;
        this.image = image;
        this.expected = expected;
        this.identities = new ChunkIdentity(key);
        this.toForward = toForward;
        this.toRecord = toRecord;
    }

    /**
     * Takes the next chunk.
     *
     * @param sha256 of its bytes
     * @param data its bytes, valid during the call only
     * @return its length and identity
     */
    ChunkRef accept(Fingerprint sha256, ByteBuffer data) throws IOException {
        ChunkRef ref = new ChunkRef(data.remaining(), identityOf(sha256));
        if (isNew(ref)) {
            if (expected.contains(ref.fingerprint(), offset)) {
                addWithoutData(ref);
            } else {
                group.addCandidate(ref, data);
            }
        }
        add(ref);
        return ref;
    }

    /** Takes the next chunk, which the agent most likely has, so that its bytes are read only if it hasn't. */
    void acceptExpected(ChunkRef ref) throws IOException {
        if (isNew(ref)) {
            addWithoutData(ref);
        }
        add(ref);
    }

    /** Chunks that are left out of long runs of zeros come again and again. */
    private Fingerprint identityOf(Fingerprint sha256) {
        if (!sha256.equals(lastSha256) || lastIdentity == null) {
            lastSha256 = sha256;
            lastIdentity = identities.of(sha256);
        }
        return lastIdentity;
    }

    private boolean isNew(ChunkRef ref) {
        return seen.put(ref.fingerprint(), Boolean.TRUE) == null;
    }

    private void addWithoutData(ChunkRef ref) {
        long at = offset;
        group.addCandidate(ref, () -> readAgain(ref, at));
    }

    private void add(ChunkRef ref) throws IOException {
        group.add(ref);
        offset += ref.length();
        if (group.isFull()) {
            handOn();
        }
    }

    /** Any thread: the agent has lost what the last snapshot points to. */
    private ByteBuffer readAgain(ChunkRef ref, long at) throws IOException {
        ByteBuffer plain = ByteBuffer.wrap(image.bytes(at, ref.length()));
        if (!new ChunkIdentity(key).ofData(plain.duplicate()).equals(ref.fingerprint())) {
            throw new IOException("the image changed at " + at + " while it was read: back it up when nobody writes it,"
                    + " or a snapshot of it");
        }
        return plain;
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
        group = new ChunkGroup(spare);
        if (full.candidates().isEmpty()) {
            full.ask(CompletableFuture.completedFuture(new BitSet()));
        } else {
            full.ask(agent.lookup(full.candidates().stream()
                    .map(candidate -> candidate.ref().fingerprint())
                    .toList()));
        }
        toRecord.put(full);
        toForward.put(full);
    }
}
