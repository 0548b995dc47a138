// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.restore;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.region.ChunkRef;
import io.shredder.backup.seal.ChunkIdentity;
import io.shredder.backup.seal.Pointer;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.server.snapshot.SnapshotPointers;
import io.shredder.backup.server.stage.Cores;
import io.shredder.backup.server.stage.RestoreTimes;
import io.shredder.backup.server.targets.RestoreTarget;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.chunk.ChunkingParams;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The way back: page through a snapshot's list, fetch many chunks at once, prove each, write them where they belong.
 * The target is committed only if every chunk, their order and the length are proved by their seals. Chunks of zeros
 * are not fetched at all.
 */
public final class RestoreSession {

    /** Times what is under way on the connections, or opened at once. */
    private static final int PENDING = 2;

    private final AgentClient agent;
    private final RepositoryKey key;
    private final Cores cores;
    private final RestoreTimes times = new RestoreTimes();
    private final AtomicLong writtenBytes = new AtomicLong();

    /** The agent's connection is not closed by the session. */
    public RestoreSession(AgentClient agent, RepositoryKey key, Cores cores) {
        this.cores = cores;
        this.agent = agent;
        this.key = key;
    }

    /** Restores; returns when the target is committed. */
    public void run(SnapshotInfo snapshot, RestoreTarget target) throws IOException {
        long beginNs = System.nanoTime();
        times.listing().present(() -> write(snapshot, target));
        long elapsedNs = System.nanoTime() - beginNs;
        times.opening().wereThere(cores.opening(false), elapsedNs);
        times.writing().wereThere(cores.opening(false), elapsedNs);
        if (writtenBytes.get() != snapshot.imageBytes()) {
            throw new IOException("snapshot " + snapshot.name() + "@" + snapshot.id() + " has " + writtenBytes.get()
                    + " bytes of chunks, not " + snapshot.imageBytes() + ": use another snapshot");
        }
        target.commit(snapshot.imageBytes());
    }

    private void write(SnapshotInfo snapshot, RestoreTarget target) throws IOException {
        SnapshotPointers pointers = new SnapshotPointers(agent, key, snapshot);
        ChunkingParams params = pointers.summary().params();
        ChunkRef zeros = zeros(params);
        try (ChunkFetcher fetcher = new ChunkFetcher(agent, key, params.digest(), cores, times.opening())) {
            RestoreSteps steps = new RestoreSteps(fetcher, target, this::mostPendingBytes, writtenBytes, times);
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
    }

    /** Chunks are longer once they are opened; and there is enough for each thread to go on with. */
    private long mostPendingBytes() {
        return PENDING * Math.max(agent.windowBytes(), (long) cores.opening(true) * RestoreBatch.MAX_BYTES);
    }

    /** How long its stages took; once it has ended. */
    public RestoreTimes times() {
        return times;
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
