// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.client.Pace;
import io.shredder.backup.protocol.KeyId;
import io.shredder.backup.protocol.SealedBytes;
import io.shredder.backup.protocol.SnapshotInfo;
import io.shredder.backup.protocol.SnapshotName;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.seal.SnapshotSealer;
import io.shredder.backup.seal.SnapshotSummary;
import io.shredder.backup.server.source.ImageChunker;
import io.shredder.backup.server.source.ImageSource;
import io.shredder.backup.server.source.SharedImage;
import io.shredder.chunk.ChunkingParams;
import io.shredder.chunk.DigestAlgorithm;
import io.shredder.engine.Shredder;
import java.io.IOException;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

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

    private static final Logger LOG = LoggerFactory.getLogger(BackupSession.class);
    private static final int GROUPS_IN_PIPE = 4;
    private static final int MAX_FORWARD_THREADS = 4;

    private final AgentClient agent;
    private final Shredder engine;
    private final RepositoryKey key;
    private final AtomicLong readBytes = new AtomicLong();

    /**
     * Neither is closed by the session. A connection serves one backup: a failed one leaves its snapshot open there.
     *
     * @param agent where to
     * @param engine cuts and digests the image
     * @param key seals all that leaves this site
     */
    public BackupSession(AgentClient agent, Shredder engine, RepositoryKey key) {
        this.agent = agent;
        this.engine = engine;
        this.key = key;
    }

    /**
     * Backs up; returns when the snapshot is durable at the agent.
     *
     * @param image stays the caller's
     * @param readPace how fast the image may be read
     */
    public BackupReport run(ImageSource image, SnapshotName name, ChunkingParams params, Pace readPace)
            throws IOException {
        checkChunkLength(params);
        checkDigest(params);
        Optional<SnapshotInfo> last = lastOfSeries(name);
        Instant taken = Instant.now();
        long startNs = System.nanoTime();
        Pipe<ChunkGroup> toForward = new Pipe<>(GROUPS_IN_PIPE);
        Pipe<ChunkGroup> toRecord = new Pipe<>(2 * GROUPS_IN_PIPE);
        SharedImage shared = new SharedImage(image);
        LookupStage lookup = new LookupStage(agent, key, shared, expected(last, params), toForward, toRecord);
        ForwardStage forward = new ForwardStage(agent, key, toForward);
        SnapshotSealer sealer = new SnapshotSealer(key, name, new SecureRandom());
        RecordStage record = new RecordStage(agent, toRecord, sealer);
        try (StageThreads threads = new StageThreads(List.of(toForward, toRecord))) {
            agent.begin(name, sealer.seal());
            for (int i = 1; i <= forwardThreads(); i++) {
                threads.start("backup-forward-" + i, forward);
            }
            threads.start("backup-record", record);
            new ImageChunker(engine, params, readPace).chunk(shared, (fingerprint, data) -> {
                readBytes.addAndGet(data.remaining());
                lookup.accept(fingerprint, data);
            });
            lookup.finish();
            threads.join();
            toRecord.throwIfFailed();
        }
        SealedBytes summary =
                sealer.summary(new SnapshotSummary(record.imageBytes(), record.chunkCount(), taken, params));
        SnapshotInfo snapshot = agent.commit(record.imageBytes(), record.chunkCount(), record.contentDigest(), summary);
        return new BackupReport(
                snapshot,
                forward.newChunks(),
                forward.newBytes(),
                forward.storedBytes(),
                agent.sentBytes(),
                agent.receivedBytes(),
                Duration.ofNanos(System.nanoTime() - startNs),
                engine.backendName());
    }

    /** A chunk's identity is made of its SHA-256. */
    private static void checkDigest(ChunkingParams params) throws IOException {
        if (params.digest() != DigestAlgorithm.SHA_256) {
            throw new IOException("chunks with " + params.digest() + " digests can't be backed up: use "
                    + DigestAlgorithm.SHA_256.optionName());
        }
    }

    /** With a second key nothing of the series would be found again, and half of it couldn't be restored with either. */
    private Optional<SnapshotInfo> lastOfSeries(SnapshotName name) throws IOException {
        List<SnapshotInfo> series = SnapshotChoice.listAll(agent).snapshots().stream()
                .filter(snapshot -> snapshot.name().equals(name))
                .toList();
        if (series.isEmpty()) {
            return Optional.empty();
        }
        SnapshotInfo last = series.get(series.size() - 1);
        KeyId before = last.seal().key();
        if (!before.equals(key.id())) {
            throw new IOException("the snapshots of '" + name + "' are sealed with key " + before + ", not with key "
                    + key.id()
                    + ": name the file of the other key with --repository-key, or begin another series with --name");
        }
        return Optional.of(last);
    }

    private ExpectedChunks expected(Optional<SnapshotInfo> last, ChunkingParams params) {
        if (last.isEmpty()) {
            return new ExpectedChunks(Optional.empty());
        }
        try {
            SnapshotPointers pointers = new SnapshotPointers(agent, key, last.get());
            boolean sameCuts = pointers.summary().params().equals(params);
            return new ExpectedChunks(sameCuts ? Optional.of(pointers::nextPage) : Optional.empty());
        } catch (IOException e) {
            LOG.info("the last snapshot can't be used: {}", e.getMessage());
            return new ExpectedChunks(Optional.empty());
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
