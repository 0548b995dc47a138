// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.snapshots;

import io.shredder.backup.agent.access.AccessFile;
import io.shredder.backup.agent.access.RevokedCertificates;
import io.shredder.backup.agent.net.AgentDaemon;
import io.shredder.backup.agent.store.Repository;
import io.shredder.backup.client.AgentClient;
import io.shredder.backup.client.Answers;
import io.shredder.backup.seal.PointerRun;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.seal.SnapshotOpener;
import io.shredder.backup.seal.SnapshotPlace;
import io.shredder.backup.seal.SnapshotSealer;
import io.shredder.backup.seal.SnapshotSummary;
import io.shredder.backup.snapshot.ContentDigest;
import io.shredder.backup.snapshot.ListPage;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.wire.Answer;
import io.shredder.backup.wire.HostPort;
import io.shredder.backup.wire.TlsFiles;
import io.shredder.chunk.Fingerprint;
import java.io.Closeable;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Commits very many genuine snapshots to an agent in this process, whose clock says when: one of each series a day.
 * Each is sealed, signed and chained as a backup's is, and points to the chunks of a first snapshot that a real backup
 * made; only reading an image and looking its chunks up is left out. One thread.
 */
public final class SnapshotCrowd implements Closeable {

    private final SteppedClock clock;
    private final Repository repository;
    private final AgentDaemon daemon;
    private final TlsFiles clientTls;

    /** The digest of the last snapshot of each series, and its ordinal. */
    private final Map<SnapshotName, Fingerprint> last = new HashMap<>();

    private final SecureRandom random = new SecureRandom();

    private SnapshotCrowd(SteppedClock clock, Repository repository, AgentDaemon daemon, TlsFiles clientTls) {
        this.clock = clock;
        this.repository = repository;
        this.daemon = daemon;
        this.clientTls = clientTls;
    }

    /** An agent on a repository, made if it isn't there; its clock begins at {@code first}. */
    static SnapshotCrowd serve(Path root, Path rights, TlsFiles agentTls, TlsFiles clientTls, Instant first)
            throws IOException {
        SteppedClock clock = new SteppedClock(first);
        Repository repository = Repository.open(root, clock);
        try {
            AgentDaemon daemon = AgentDaemon.start(
                    repository,
                    AccessFile.open(rights),
                    RevokedCertificates.none(),
                    agentTls,
                    new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            return new SnapshotCrowd(clock, repository, daemon, clientTls);
        } catch (IOException e) {
            repository.close();
            throw e;
        }
    }

    HostPort address() {
        return new HostPort("127.0.0.1", daemon.address().getPort());
    }

    /** Hears how far it is. */
    public interface Progress {
        /** After each day. */
        void days(int done, int all);
    }

    /**
     * Commits a snapshot of each series a day.
     *
     * @param model the only snapshot there is, the first of the first series
     */
    void fill(List<SnapshotName> series, int days, SnapshotName model, RepositoryKey key, Progress progress)
            throws IOException {
        try (AgentClient agent = AgentClient.connect(address(), clientTls)) {
            SnapshotInfo first = agent.list(model, 0).snapshots().get(0);
            SnapshotOpener opener = new SnapshotOpener(key, first);
            SnapshotSummary summary = opener.summary();
            List<PointerRun> entries = opener.entries(0, Answers.await(agent.show(first.id(), 0)));
            last.put(model, SnapshotPlace.digest(first));
            Instant begin = clock.instant();
            for (int day = 0; day < days; day++) {
                for (int i = 0; i < series.size(); i++) {
                    clock.set(begin.plus(Duration.ofDays(day)).plusSeconds(1L + i));
                    if (day > 0 || !series.get(i).equals(model)) {
                        commit(agent, series.get(i), day + 1L, key, entries, summary, first.id());
                    }
                }
                progress.days(day + 1, days);
            }
        }
    }

    private void commit(
            AgentClient agent,
            SnapshotName name,
            long ordinal,
            RepositoryKey key,
            List<PointerRun> entries,
            SnapshotSummary summary,
            long model)
            throws IOException {
        SnapshotSealer sealer = SnapshotSealer.ofSharedList(key, name, random);
        agent.begin(name, sealer.seal(), summary.imageBytes());
        ContentDigest digest = new ContentDigest(sealer.seal());
        ListPage page = sealer.page(0, entries);
        digest.add(page);
        Answers.await(ordinal == 1 ? agent.append(page) : agent.share(model, 0, 1));
        Fingerprint content = digest.finish();
        Answer.Prepared prepared = agent.prepare(0);
        SnapshotSummary placed = new SnapshotSummary(
                        summary.imageBytes(),
                        summary.chunkCount(),
                        clock.instant(),
                        summary.params(),
                        summary.place(),
                        summary.remarks())
                .at(new SnapshotPlace(
                        SnapshotPlace.home(
                                agent.greeting().repository(), agent.greeting().client()),
                        prepared.id(),
                        ordinal,
                        last.getOrDefault(name, SnapshotPlace.NO_PREDECESSOR),
                        prepared.audit()));
        SnapshotInfo committed = agent.commit(
                summary.imageBytes(),
                summary.chunkCount(),
                content,
                sealer.summaries().seal(placed, content));
        last.put(name, SnapshotPlace.digest(committed));
    }

    @Override
    public void close() throws IOException {
        try (repository) {
            daemon.close();
        }
    }

    /** Says what it was told last; read by the agent's threads. */
    private static final class SteppedClock extends Clock {
        private volatile Instant now;

        SteppedClock(Instant now) {
            this.now = now;
        }

        void set(Instant instant) {
            now = instant;
        }

        @Override
        public Instant instant() {
            return now;
        }

        @Override
        public ZoneId getZone() {
            return ZoneOffset.UTC;
        }

        @Override
        public Clock withZone(ZoneId zone) {
            return this;
        }
    }
}
