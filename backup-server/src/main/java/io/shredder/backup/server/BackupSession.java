// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.client.Pace;
import io.shredder.backup.protocol.SnapshotInfo;
import io.shredder.backup.protocol.SnapshotName;
import io.shredder.backup.server.source.ImageChunker;
import io.shredder.backup.server.source.ImageSource;
import io.shredder.chunk.ChunkingParams;
import io.shredder.chunk.DigestAlgorithm;
import io.shredder.engine.Shredder;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;

/**
 * START HERE. One backup of one image (Shredder, section 5.2): read and chunk it, look each chunk up at the agent, forward what is new and
 * point to what is known, commit. The snapshot appears at the commit or not at all; an interrupted backup leaves only chunks, which the next
 * one need not send again.
 *
 * <pre>
 *   caller's thread          backup-forward-N          backup-record
 *   chunk, look up  --pipe-->  compress, put
 *                   --pipe---------------------------->  append pointers   then, on the caller's: commit
 * </pre>
 */
public final class BackupSession {

    private static final int GROUPS_IN_PIPE = 8;
    private static final int MAX_FORWARD_THREADS = 4;

    private final AgentClient agent;
    private final Shredder engine;
    private final AtomicLong readBytes = new AtomicLong();

    /**
     * Neither is closed by the session. A connection serves one backup: a failed one leaves its snapshot open there.
     *
     * @param agent where to
     * @param engine cuts and digests the image
     */
    public BackupSession(AgentClient agent, Shredder engine) {
        this.agent = agent;
        this.engine = engine;
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
        long startNs = System.nanoTime();
        Pipe<ChunkGroup> toForward = new Pipe<>(GROUPS_IN_PIPE);
        Pipe<ChunkGroup> toRecord = new Pipe<>(2 * GROUPS_IN_PIPE);
        LookupStage lookup = new LookupStage(agent, toForward, toRecord);
        ForwardStage forward = new ForwardStage(agent, toForward);
        RecordStage record = new RecordStage(agent, toRecord, params);
        try (StageThreads threads = new StageThreads(List.of(toForward, toRecord))) {
            agent.begin(name, params);
            for (int i = 1; i <= forwardThreads(); i++) {
                threads.start("backup-forward-" + i, forward);
            }
            threads.start("backup-record", record);
            new ImageChunker(engine, params, readPace).chunk(image, (fingerprint, data) -> {
                readBytes.addAndGet(data.remaining());
                lookup.accept(fingerprint, data);
            });
            lookup.finish();
            threads.join();
            toRecord.throwIfFailed();
        }
        SnapshotInfo snapshot = agent.commit(record.imageBytes(), record.chunkCount(), record.contentDigest());
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

    /** The agent proves every chunk by its SHA-256, its index knows chunks by nothing else. */
    private static void checkDigest(ChunkingParams params) throws IOException {
        if (params.digest() != DigestAlgorithm.SHA_256) {
            throw new IOException("chunks with " + params.digest() + " digests can't be backed up: use "
                    + DigestAlgorithm.SHA_256.optionName());
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
