// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.backup;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.pace.Pace;
import io.shredder.backup.seal.Remarks;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.seal.SnapshotSealer;
import io.shredder.backup.seal.SnapshotSummary;
import io.shredder.backup.server.cache.CacheWriter;
import io.shredder.backup.server.cache.SnapshotCaches;
import io.shredder.backup.server.changes.ChangeTracker;
import io.shredder.backup.server.changes.UntrueChangesException;
import io.shredder.backup.server.snapshot.LastPages;
import io.shredder.backup.server.source.ImageCuts;
import io.shredder.backup.server.source.ImageSource;
import io.shredder.backup.server.source.ImageStream;
import io.shredder.backup.server.stage.BackupTimes;
import io.shredder.backup.server.stage.Cores;
import io.shredder.backup.server.stage.CoresShare;
import io.shredder.backup.server.stage.Pipe;
import io.shredder.backup.server.stage.SharedWork;
import io.shredder.backup.server.stage.StageThreads;
import io.shredder.backup.server.trust.AgentSeries;
import io.shredder.backup.server.trust.KnownCommits;
import io.shredder.backup.server.trust.ProvedSeries;
import io.shredder.backup.server.trust.SnapshotCommit;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.chunk.ChunkingParams;
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
 * START HERE. One backup of one image (Shredder, section 5.2): read and chunk it, look each chunk up at the agent,
 * forward what is new and point to what is known, commit. The snapshot appears at the commit or not at all; an
 * interrupted backup leaves only chunks, which the next one need not send again.
 *
 * <pre>
 *   caller's thread          backup-forward-N             backup-record
 *   chunk, look up  --pipe-->  compress, seal, put
 *                   --pipe------------------------------->  seal, append pages   then, on the caller's: commit
 * </pre>
 *
 * What is on the list goes on to {@code backup-cache}, which keeps it for the next backup.
 */
public final class BackupSession {

    private static final Logger LOG = LoggerFactory.getLogger(BackupSession.class);

    private final AgentClient agent;
    private final Shredder engine;
    private final RepositoryKey key;
    private final SnapshotCaches caches;
    private final KnownCommits known;
    private final boolean privateLists;
    private final CoresShare cores;
    private final BackupTimes times = new BackupTimes();
    private final AtomicLong readBytes = new AtomicLong();

    /**
     * Neither is closed by the session. A connection serves one backup: a failed one leaves its snapshot open there.
     *
     * @param agent where to
     * @param engine cuts and digests the image
     * @param key seals all that leaves this site
     * @param caches what was kept of the series' last snapshot, so that only what changed is cut and digested
     * @param known what this site has seen of the series: an agent that shows less or other is not trusted with more
     * @param privateLists whether the list shares no page with other snapshots', so that the agent can't tell which are
     *     equal
     * @param cores that it may use
     */
    public BackupSession(
            AgentClient agent,
            Shredder engine,
            RepositoryKey key,
            SnapshotCaches caches,
            KnownCommits known,
            boolean privateLists,
            Cores cores) {
        this(agent, engine, key, caches, known, privateLists, CoresShare.alone(cores));
    }

    /** The same beside other backups, which have their shares of the cores. */
    public BackupSession(
            AgentClient agent,
            Shredder engine,
            RepositoryKey key,
            SnapshotCaches caches,
            KnownCommits known,
            boolean privateLists,
            CoresShare cores) {
        this.cores = cores;
        this.privateLists = privateLists;
        this.agent = agent;
        this.engine = engine;
        this.key = key;
        this.caches = caches;
        this.known = known;
    }

    /**
     * Backs up; returns when the snapshot is durable at the agent.
     *
     * @param image stays the caller's
     * @param remarks of whoever asks; what is found when the image is read is added
     * @param readPace how fast the image may be read
     */
    public BackupReport run(ImageSource image, SnapshotName name, ImageCuts cuts, Remarks remarks, Pace readPace)
            throws IOException {
        return run(image, name, cuts, remarks, readPace, Optional.empty());
    }

    /**
     * The same for an image of which somebody may know what has changed.
     *
     * @param tracker stays the caller's; its point becomes a tag of the snapshot
     * @throws UntrueChangesException if something else had changed, too: the caller may try again, on another
     *     connection, with a tracker that knows nothing
     */
    public BackupReport run(
            ImageSource image,
            SnapshotName name,
            ImageCuts cuts,
            Remarks remarks,
            Pace readPace,
            Optional<ChangeTracker> tracker)
            throws IOException {
        return run(new ImageOrigin(image, engine, key, readPace, cores, tracker), caches, name, cuts, remarks);
    }

    /** The same for an image that comes as a stream, which stays the caller's. */
    public BackupReport run(ImageStream image, SnapshotName name, ImageCuts cuts, Remarks remarks) throws IOException {
        return run(new StreamOrigin(image, engine), SnapshotCaches.none(), name, cuts, remarks);
    }

    private BackupReport run(
            ChunkOrigin origin, SnapshotCaches used, SnapshotName name, ImageCuts cuts, Remarks remarks)
            throws IOException {
        checkChunkLength(cuts.lengths());
        AgentSeries series = new AgentSeries(agent, key, known, name);
        ProvedSeries before = series.checked();
        if (before.proved().isEmpty() && !before.unproved().isEmpty()) {
            LOG.warn(
                    "none of the {} snapshots of '{}' is of this key: the series begins anew beside them; the newest:"
                            + " {}",
                    before.unproved().size(),
                    name,
                    before.unproved().get(before.unproved().size() - 1));
        }
        try (LastSnapshot last = new LastSnapshot(agent, key, used, before, cuts)) {
            origin.begin(before, last);
            Optional<CacheWriter> cache = used.write(key, name, last.params());
            return run(origin, name, remarks, last, cache, new SnapshotCommit(series, before));
        }
    }

    private BackupReport run(
            ChunkOrigin origin,
            SnapshotName name,
            Remarks given,
            LastSnapshot last,
            Optional<CacheWriter> cache,
            SnapshotCommit commit)
            throws IOException {
        ChunkingParams params = last.params();
        Instant taken = Instant.now();
        long startNs = System.nanoTime();
        Pipe<StagedGroup> toForward = new Pipe<>(cores::groupsWaiting);
        Pipe<ListPart> toRecord = new Pipe<>(cores.cores().groupsWaiting() + 2 * cores.threads());
        SnapshotSealer sealer = sealer(name);
        LastPages lastPages = sealer.seal().isShared() ? last.pages() : LastPages.none();
        ForwardStage forward = new ForwardStage(agent, key, params.digest(), toForward, cores, times.sealing());
        NewList list = new NewList(agent, sealer, lastPages);
        Optional<CacheStage> keep = cache.map(CacheStage::new);
        List<Pipe<?>> pipes = keep.isEmpty()
                ? List.of(toForward, toRecord)
                : List.of(toForward, toRecord, keep.get().parts());
        try (GroupData.Pool data = new GroupData.Pool(cores.cores().groupBytes());
                RecordStage record = new RecordStage(toRecord, list, keep, times.recording());
                SharedWork work = new SharedWork(cores.cores().preparing(), "backup-prepare");
                StageThreads threads = new StageThreads(pipes)) {
            LookupStage lookup = new LookupStage(
                    agent,
                    key,
                    params.digest(),
                    origin,
                    origin.expected(last),
                    new EndedPages(lastPages, () -> sealer(name), work, times.lookingUp()),
                    work,
                    new LookupOutlet(toForward, toRecord, data, times.lookingUp()));
            ChunkHandOver chunks = new ChunkHandOver(lookup, key, params.digest(), cache.isPresent(), work, readBytes);
            agent.allowConnections(cores.cores().chunkConnections());
            agent.begin(name, sealer.seal(), origin.imageBytes());
            for (int i = 1; i <= cores.threads(); i++) {
                threads.start("backup-forward-" + i, forward);
            }
            threads.start("backup-record", record);
            keep.ifPresent(stage -> threads.start("backup-cache", stage));
            times.lookingUp().present(() -> {
                origin.chunk(last, params, chunks, times);
                lookup.finish();
            });
            threads.join();
            toRecord.throwIfFailed();
            Remarks remarks = origin.remarks(given, record.imageBytes());
            SnapshotSummary summary = new SnapshotSummary(
                    record.imageBytes(), record.chunkCount(), taken, params, Optional.empty(), remarks);
            SnapshotInfo snapshot = commit.commit(sealer.summaries(), summary, record.contentDigest());
            record.publish(snapshot);
            return report(
                    snapshot, remarks, origin.reading(), forward, list, Duration.ofNanos(System.nanoTime() - startNs));
        }
    }

    private SnapshotSealer sealer(SnapshotName name) {
        return privateLists || !agent.sharesPages()
                ? SnapshotSealer.ofPrivateList(key, name, new SecureRandom())
                : SnapshotSealer.ofSharedList(key, name, new SecureRandom());
    }

    private BackupReport report(
            SnapshotInfo snapshot,
            Remarks remarks,
            ImageReading reading,
            ForwardStage forward,
            NewList list,
            Duration elapsed) {
        return new BackupReport(
                snapshot,
                forward.newChunks(),
                forward.newBytes(),
                forward.storedBytes(),
                agent.sentBytes(),
                agent.receivedBytes(),
                list.pages(),
                list.sharedPages(),
                elapsed,
                engine.backendName(),
                forward.plainBytes(),
                times.figures(),
                remarks,
                reading);
    }

    private void checkChunkLength(ChunkingParams params) throws IOException {
        int longest = agent.greeting().maxChunkBytes();
        if (params.maxBytes() > longest) {
            throw new IOException("the agent takes chunks of at most " + longest + " bytes, the maximum is "
                    + params.maxBytes() + ": use a smaller --max or --avg");
        }
    }

    /** How much of the image has been chunked so far; for progress, from any thread. */
    public long readBytes() {
        return readBytes.get();
    }
}
