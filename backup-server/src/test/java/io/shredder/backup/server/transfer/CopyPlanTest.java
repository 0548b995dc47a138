// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.bytes.SealedBytes;
import io.shredder.backup.seal.Remarks;
import io.shredder.backup.seal.SnapshotSummary;
import io.shredder.backup.server.trust.ProvedSeries;
import io.shredder.backup.server.trust.ProvedSnapshot;
import io.shredder.backup.snapshot.KeyId;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.snapshot.SnapshotSeal;
import io.shredder.chunk.ChunkingParams;
import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Snapshots are called by the day on which they were taken; their ids rise as they are listed. */
class CopyPlanTest {

    private static ProvedSnapshot of(long id, int day) {
        SnapshotInfo info = new SnapshotInfo(
                id,
                new SnapshotName("vm"),
                Instant.EPOCH,
                100,
                1,
                new SnapshotSeal(new KeyId(1, 2), new UUID(3, day)),
                new SealedBytes(new byte[0]),
                Fingerprint.ofData(ByteBuffer.allocate(Integer.BYTES).putInt(0, day)));
        return new ProvedSnapshot(
                info,
                new SnapshotSummary(
                        100,
                        1,
                        Instant.EPOCH.plusSeconds(day),
                        ChunkingParams.ofAverage(4096),
                        Optional.empty(),
                        Remarks.none()));
    }

    private static List<ProvedSnapshot> series(int... days) {
        int[] id = {0};
        return Arrays.stream(days).mapToObj(day -> of(++id[0], day)).toList();
    }

    private static CopyPlan plan(List<ProvedSnapshot> here, List<ProvedSnapshot> there, boolean evenOlder) {
        return CopyPlan.of(here, new ProvedSeries(there, List.of(), List.of()), evenOlder);
    }

    private static List<Long> days(List<ProvedSnapshot> some) {
        return some.stream()
                .map(snapshot -> snapshot.summary().taken().getEpochSecond())
                .toList();
    }

    @Test
    void allGoesWhereNothingIs() {
        assertThat(days(plan(series(1, 2, 3), List.of(), false).copied())).containsExactly(1L, 2L, 3L);
    }

    @Test
    void whatWasPrunedThereDoesNotComeBackBehindWhatWasKept() {
        CopyPlan plan = plan(series(1, 2, 3, 4), series(3), false);
        assertThat(days(plan.copied())).containsExactly(4L);
        assertThat(days(plan.there())).containsExactly(3L);
        assertThat(days(plan.older())).containsExactly(1L, 2L);
        CopyPlan pruned = plan(series(1, 2), series(3), false);
        assertThat(pruned.copied()).as("the newest there is pruned here").isEmpty();
    }

    @Test
    void whoeverWantsItCopiesOlderOnes() {
        CopyPlan plan = plan(series(1, 2, 3), series(3), true);
        assertThat(days(plan.copied())).containsExactly(1L, 2L);
        assertThat(plan.older()).isEmpty();
        assertThat(days(plan(series(1, 2, 3, 4), series(3, 1), false).copied()))
                .as("then others of before stay away as they did")
                .containsExactly(4L);
    }

    @Test
    void aClockThatWasAheadOnceDoesNotKeepLaterSnapshotsFromBeingCopied() {
        CopyPlan plan = plan(series(1, 99, 2, 3), series(1, 99), false);
        assertThat(days(plan.copied())).containsExactly(2L, 3L);
        assertThat(days(plan(series(1, 99, 2, 3, 4), series(99, 3), false).copied()))
                .as("day 2 was pruned there")
                .containsExactly(4L);
    }
}
