// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.trust;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.bytes.SealedBytes;
import io.shredder.backup.client.AgentClient;
import io.shredder.backup.seal.Remarks;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.seal.SnapshotSummary;
import io.shredder.backup.seal.SummarySealer;
import io.shredder.backup.snapshot.AuditPosition;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.snapshot.SnapshotSeal;
import io.shredder.backup.wire.Answer;
import io.shredder.backup.wire.Request;
import io.shredder.backup.wire.SeriesRequest;
import io.shredder.chunk.ChunkingParams;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an agent says that it committed is read, and is what was sent. */
class SnapshotCommitTest {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final SnapshotName NAME = new SnapshotName("sv");
    private static final RepositoryKey KEY = RepositoryKey.generate(RANDOM);
    private static final Instant RECEIVED = Instant.ofEpochMilli(1_800_000_000_000L);

    @TempDir
    private Path folder;

    private final SnapshotSeal seal = new SnapshotSeal(KEY.id(), new UUID(RANDOM.nextLong(), RANDOM.nextLong()));
    private final Committing route = new Committing();

    /** Keeps what is committed, and says something else of it. */
    private final class Committing {

        private final List<SnapshotInfo> kept = new ArrayList<>();
        private UnaryOperator<SnapshotInfo> said = UnaryOperator.identity();
        private long nextId = 7;
        private long lastId;

        private Answer answer(Request request) {
            if (request instanceof SeriesRequest.ListSeries) {
                return new Answer.Snapshots(List.copyOf(kept), List.of(), 0);
            } else if (request instanceof SeriesRequest.Prepare) {
                return new Answer.Prepared(nextId, lastId, AuditPosition.NONE, AuditPosition.NONE);
            }
            Request.Commit commit = (Request.Commit) request;
            SnapshotInfo info = new SnapshotInfo(
                    nextId,
                    NAME,
                    RECEIVED,
                    commit.imageBytes(),
                    commit.chunkCount(),
                    seal,
                    commit.summary(),
                    commit.contentDigest());
            kept.add(info);
            return new Answer.Committed(said.apply(info));
        }
    }

    private SnapshotInfo commit() throws IOException {
        AgentSeries series = new AgentSeries(
                AgentClient.over(new ScriptedRoute(new UUID(1, 2), route::answer)),
                KEY,
                KnownCommits.in(folder.resolve("state")),
                NAME);
        SnapshotSummary summary = new SnapshotSummary(
                100,
                1,
                Instant.ofEpochMilli(1_700_000_000_000L),
                ChunkingParams.ofAverage(4096),
                Optional.empty(),
                Remarks.none());
        return new SnapshotCommit(series, series.checked())
                .commit(new SummarySealer(KEY, seal, NAME, RANDOM), summary, digest(1));
    }

    private static Fingerprint digest(long of) {
        return Fingerprint.ofData(ByteBuffer.allocate(Long.BYTES).putLong(0, of));
    }

    private Path known() {
        return folder.resolve("state/commits/" + new UUID(1, 2) + "/" + KEY.id() + "/site1/sv.commit");
    }

    private void assertAlarm(UnaryOperator<SnapshotInfo> said) {
        route.said = said;
        assertThatThrownBy(this::commit)
                .isInstanceOf(BrokenTrustException.class)
                .hasMessageContaining("was sent sv@" + route.nextId)
                .hasMessageContaining("shredder-backup accept sv");
        assertThat(known()).as("nothing is remembered").doesNotExist();
        route.kept.clear();
    }

    @Test
    void whatWasSentIsCommittedWheneverTheAgentReceivedIt() throws IOException {
        assertThat(commit().received()).isEqualTo(RECEIVED);
        assertThat(known()).exists();
    }

    @Test
    void anyOtherAnswerIsAnAlarm() {
        assertAlarm(info -> with(info, 6, NAME, 100, 1, seal, info.summary(), info.contentDigest()));
        assertAlarm(info -> with(info, 8, NAME, 100, 1, seal, info.summary(), info.contentDigest()));
        SnapshotName other = new SnapshotName("other");
        assertAlarm(info -> with(info, 7, other, 100, 1, seal, info.summary(), info.contentDigest()));
        assertAlarm(info -> with(info, 7, NAME, 99, 1, seal, info.summary(), info.contentDigest()));
        assertAlarm(info -> with(info, 7, NAME, 100, 2, seal, info.summary(), info.contentDigest()));
        SnapshotSeal salted = new SnapshotSeal(KEY.id(), new UUID(3, 4));
        assertAlarm(info -> with(info, 7, NAME, 100, 1, salted, info.summary(), info.contentDigest()));
        SealedBytes summary = new SealedBytes(new byte[100]);
        assertAlarm(info -> with(info, 7, NAME, 100, 1, seal, summary, info.contentDigest()));
        assertAlarm(info -> with(info, 7, NAME, 100, 1, seal, info.summary(), digest(2)));
    }

    @Test
    void anIdThatIsNotAboveAllOfTheSeriesIsAnAlarm() throws IOException {
        route.lastId = 7;
        assertThatThrownBy(this::commit)
                .isInstanceOf(BrokenTrustException.class)
                .hasMessageContaining("gives out id 7");
        assertThat(route.kept).isEmpty();
    }

    private static SnapshotInfo with(
            SnapshotInfo info,
            long id,
            SnapshotName name,
            long imageBytes,
            long chunkCount,
            SnapshotSeal seal,
            SealedBytes summary,
            Fingerprint digest) {
        return new SnapshotInfo(id, name, info.received(), imageBytes, chunkCount, seal, summary, digest);
    }
}
