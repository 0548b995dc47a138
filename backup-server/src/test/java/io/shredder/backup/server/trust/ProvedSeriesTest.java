// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.trust;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.bytes.SealedBytes;
import io.shredder.backup.seal.Remarks;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.seal.SnapshotPlace;
import io.shredder.backup.seal.SnapshotSummary;
import io.shredder.backup.seal.SummarySealer;
import io.shredder.backup.snapshot.AuditPosition;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.snapshot.SnapshotSeal;
import io.shredder.chunk.ChunkingParams;
import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** An agent that answers with valid data of another place: exchanged, doubled, older, of another repository or key. */
class ProvedSeriesTest {

    private static final SecureRandom RANDOM = new SecureRandom();
    private static final UUID REPOSITORY = new UUID(1, 2);
    private static final SnapshotName NAME = new SnapshotName("sv");
    private static final RepositoryKey KEY = RepositoryKey.generate(RANDOM);

    private final List<SnapshotInfo> series = new ArrayList<>();

    private ProvedSeries of(List<SnapshotInfo> listed) {
        return ProvedSeries.of(listed, KEY, REPOSITORY);
    }

    private SnapshotInfo next(RepositoryKey key, UUID repository, long id) {
        ProvedSeries before = ProvedSeries.of(series, key, repository);
        SnapshotSeal seal = new SnapshotSeal(key.id(), new UUID(RANDOM.nextLong(), RANDOM.nextLong()));
        Fingerprint content = Fingerprint.ofData(ByteBuffer.allocate(16)
                .putLong(seal.salt().getLeastSignificantBits())
                .putLong(id)
                .flip());
        SnapshotSummary summary = new SnapshotSummary(
                100,
                1,
                Instant.ofEpochMilli(1_700_000_000_000L + id),
                ChunkingParams.ofAverage(4096),
                Optional.of(new SnapshotPlace(
                        repository, id, before.nextOrdinal(), before.lastDigest(), AuditPosition.NONE)),
                Remarks.none());
        SealedBytes sealed = new SummarySealer(key, seal, NAME, RANDOM).seal(summary, content);
        return new SnapshotInfo(id, NAME, Instant.EPOCH, 100, 1, seal, sealed, content);
    }

    private void commit(int count) {
        for (int i = 0; i < count; i++) {
            series.add(next(
                    KEY,
                    REPOSITORY,
                    1 + (series.isEmpty() ? 0 : series.get(series.size() - 1).id())));
        }
    }

    private static SnapshotInfo under(long id, SnapshotInfo info) {
        return new SnapshotInfo(
                id,
                info.name(),
                info.received(),
                info.imageBytes(),
                info.chunkCount(),
                info.seal(),
                info.summary(),
                info.contentDigest());
    }

    @Test
    void aSeriesAsItWasCommittedIsProvedWholeAlsoIfSomeWerePruned() {
        commit(6);
        assertThat(of(series).breaks()).isEmpty();
        assertThat(of(series).proved()).hasSize(6);
        series.remove(4);
        series.remove(1);
        ProvedSeries pruned = of(series);
        assertThat(pruned.breaks()).isEmpty();
        assertThat(pruned.unproved()).isEmpty();
        assertThat(pruned.nextOrdinal()).isEqualTo(7);
        assertThat(pruned.find(OptionalLong.empty()).orElseThrow().info().id()).isEqualTo(6);
    }

    @Test
    void oneSnapshotUnderAnothersIdStandsApart() {
        commit(4);
        List<SnapshotInfo> exchanged =
                List.of(series.get(0), under(2, series.get(3)), series.get(2), under(4, series.get(1)));
        ProvedSeries shown = of(exchanged);
        assertThat(shown.proved()).hasSize(2);
        assertThat(shown.unproved())
                .extracting(UnprovedSnapshot::reason)
                .containsExactly("it was committed as snapshot 4", "it was committed as snapshot 2");
    }

    @Test
    void snapshotsOfAnotherRepositoryOrKeyStandApart() {
        commit(2);
        RepositoryKey foreign = RepositoryKey.generate(RANDOM);
        List<SnapshotInfo> more = new ArrayList<>(series);
        more.add(next(KEY, new UUID(3, 4), 3));
        more.add(next(foreign, REPOSITORY, 4));
        ProvedSeries shown = of(more);
        assertThat(shown.proved()).hasSize(2);
        assertThat(shown.unproved().get(0).reason()).contains("committed to another repository");
        assertThat(shown.unproved().get(1).reason()).contains("is sealed with key " + foreign.id());
        assertThat(shown.nextOrdinal()).isEqualTo(3);
        assertThat(shown.highestId()).isEqualTo(4);
    }

    @Test
    void aForkOfTheSeriesBreaksIt() {
        commit(3);
        List<SnapshotInfo> whole = List.copyOf(series);
        series.remove(2);
        SnapshotInfo fork = next(KEY, REPOSITORY, 4);
        ProvedSeries shown = of(List.of(whole.get(0), whole.get(1), whole.get(2), fork));
        assertThat(shown.breaks()).singleElement().asString().contains("sv@4 was committed behind another");
    }

    /** Whatever files an agent exchanges, doubles or lets come back: none is taken for another. */
    @Test
    void nothingIsEverProvedUnderAnIdThatItWasNotCommittedAs() {
        Random random = new Random(3);
        commit(12);
        for (int trial = 0; trial < 500; trial++) {
            List<SnapshotInfo> shown = new ArrayList<>(series);
            List<SnapshotInfo> contents = new ArrayList<>(series);
            Collections.shuffle(contents, random);
            int changes = 1 + random.nextInt(4);
            for (int i = 0; i < changes; i++) {
                int at = random.nextInt(shown.size());
                shown.set(at, under(shown.get(at).id(), contents.get(i)));
            }
            ProvedSeries sorted = of(shown);
            for (ProvedSnapshot proved : sorted.proved()) {
                SnapshotInfo committed = series.get((int) proved.info().id() - 1);
                assertThat(proved.info()).isEqualTo(committed);
            }
            assertThat(sorted.proved().size() + sorted.unproved().size()).isEqualTo(shown.size());
        }
    }
}
