// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.client.Pace;
import io.shredder.backup.protocol.SealedBytes;
import io.shredder.backup.protocol.SnapshotInfo;
import io.shredder.backup.protocol.SnapshotName;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.seal.SnapshotSealer;
import io.shredder.backup.seal.SnapshotSummary;
import io.shredder.backup.server.cache.CacheWriter;
import io.shredder.backup.server.cache.ChunkTagging;
import io.shredder.backup.server.cache.SnapshotCaches;
import io.shredder.backup.server.compare.ImageComparison;
import io.shredder.backup.server.source.ImageChunker;
import io.shredder.backup.server.source.ImageCuts;
import io.shredder.backup.server.source.ImageSource;
import io.shredder.backup.server.source.SharedImage;
import io.shredder.chunk.ChunkingParams;
import io.shredder.engine.Shredder;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;

/**
 * START HERE. One backup of one image (Shredder, section 5.2): read and chunk it, look each chunk up at the agent, forward what is new and
 * point to what is known, commit. The snapshot appears at the commit or not at all; an interrupted backup leaves only chunks, which the next
 * one need not send again.
 *
 * <pre>
 *   caller's thread          backup-forward-N             backup-record
 *   chunk, look up  --pipe-->  compress, seal, put
 *                   --pipe------------------------------->  seal, append pages   then, on the caller's: commit
 * </pre>
 */
public final class BackupSession {

    private static final int GROUPS_IN_PIPE = 4;
    private static final int MAX_FORWARD_THREADS = 4;

    private final AgentClient agent;
    private final Shredder engine;
    private final RepositoryKey key;
    private final SnapshotCaches caches;
    private final AtomicLong readBytes = new AtomicLong();

    /**
     * Neither is closed by the session. A connection serves one backup: a failed one leaves its snapshot open there.
     *
     * @param agent where to
     * @param engine cuts and digests the image
     * @param key seals all that leaves this site
     * @param caches what was kept of the series' last snapshot, so that only what changed is cut and digested
     */
    public BackupSession(AgentClient agent, Shredder engine, RepositoryKey key, SnapshotCaches caches) {
        this.agent = agent;
        this.engine = engine;
        this.key = key;
        this.caches = caches;
    }

    /**
     * Backs up; returns when the snapshot is durable at the agent.
     *
     * @param image stays the caller's
     * @param readPace how fast the image may be read
     */
    public BackupReport run(ImageSource image, SnapshotName name, ImageCuts cuts, Pace readPace) throws IOException {
        checkChunkLength(cuts.lengths());
        try (LastSnapshot last = new LastSnapshot(agent, key, caches, name, cuts)) {
            return run(new SharedImage(image), name, last.params(), readPace, last);
        }
    }

    private BackupReport run(
            SharedImage image, SnapshotName name, ChunkingParams params, Pace readPace, LastSnapshot last)
            throws IOException {
        Instant taken = Instant.now();
        long startNs = System.nanoTime();
        Pipe<ChunkGroup> toForward = new Pipe<>(GROUPS_IN_PIPE);
        Pipe<ChunkGroup> toRecord = new Pipe<>(2 * GROUPS_IN_PIPE);
        LookupStage lookup = new LookupStage(agent, key, params.digest(), image, last.expected(), toForward, toRecord);
        ForwardStage forward = new ForwardStage(agent, key, params.digest(), toForward);
        SnapshotSealer sealer = new SnapshotSealer(key, name, new SecureRandom());
        Optional<CacheWriter> cache = caches.write(key, name, params);
        ChunkHandOver chunks = new ChunkHandOver(
                lookup, cache.isPresent() ? Optional.of(ChunkTagging.under(key)) : Optional.empty(), readBytes);
        try (RecordStage record = new RecordStage(agent, toRecord, sealer, cache);
                StageThreads threads = new StageThreads(List.of(toForward, toRecord))) {
            agent.begin(name, sealer.seal(), image.imageBytes());
            for (int i = 1; i <= forwardThreads(); i++) {
                threads.start("backup-forward-" + i, forward);
            }
            threads.start("backup-record", record);
            chunk(image, last, params, readPace, chunks);
            lookup.finish();
            threads.join();
            toRecord.throwIfFailed();
            SealedBytes summary =
                    sealer.summary(new SnapshotSummary(record.imageBytes(), record.chunkCount(), taken, params));
            SnapshotInfo snapshot =
                    agent.commit(record.imageBytes(), record.chunkCount(), record.contentDigest(), summary);
            record.publish(snapshot);
            return report(snapshot, forward, Duration.ofNanos(System.nanoTime() - startNs));
        }
    }

    private BackupReport report(SnapshotInfo snapshot, ForwardStage forward, Duration elapsed) {
        return new BackupReport(
                snapshot,
                forward.newChunks(),
                forward.newBytes(),
                forward.storedBytes(),
                agent.sentBytes(),
                agent.receivedBytes(),
                elapsed,
                engine.backendName());
    }

    private void chunk(SharedImage image, LastSnapshot last, ChunkingParams params, Pace readPace, ChunkHandOver chunks)
            throws IOException {
        if (last.cache().isPresent()) {
            new ImageComparison(engine, params, ChunkTagging.under(key), readPace)
                    .chunk(image, last.cache().get(), chunks);
        } else {
            new ImageChunker(engine, params, readPace).chunk(image, chunks);
        }
    }

    private void checkChunkLength(ChunkingParams params) throws IOException {
        int longest = agent.greeting().maxChunkBytes();
        if (params.maxBytes() > longest) {
            throw new IOException("the agent takes chunks of at most " + longest + " bytes, the maximum is "
                    + params.maxBytes() + ": use a smaller --max or --avg");
        }
    }

    private static int forwardThreads() {
        return Math.min(MAX_FORWARD_THREADS, Runtime.getRuntime().availableProcessors());
    }

    /** How much of the image has been chunked so far; for progress, from any thread. */
    public long readBytes() {
        return readBytes.get();
    }
}
