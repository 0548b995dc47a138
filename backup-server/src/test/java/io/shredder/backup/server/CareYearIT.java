// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.chunk.InTurn;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Two months of a daemon and its agents, over the change to summer time. A year is {@code ./run bars care}. */
class CareYearIT {

    private static final Instant BEGIN = Instant.parse("2026-02-10T18:00:00Z");
    private static final int DAYS = 60;

    @TempDir
    private Path folder;

    @Test
    @InTurn(days = 3)
    void rulesAreKeptAndEverythingIsReadAndCopiedWhateverGoesWrong() throws Exception {
        long seed = Long.getLong("shredder.seed", System.nanoTime());
        try (CareYear year = new CareYear(folder, BEGIN, seed)) {
            CareYear.Result result = year.live(DAYS);
            assertThat(result.broken())
                    .as("-Dshredder.seed=%d, %s", seed, result.counts())
                    .isEmpty();
            assertThat(result.counts().get("prunes checked")).isGreaterThan(DAYS);
            assertThat(result.counts().get("prunes held")).isPositive();
            assertThat(result.counts().get("snapshots deleted")).isGreaterThan(DAYS);
            assertThat(result.counts().get("damages repaired")).isPositive();
            assertThat(result.counts().get("copies")).isGreaterThan(DAYS / 2);
            assertThat(result.counts().get("verifications in time")).isGreaterThan(DAYS / 2);
            assertThat(result.storeBytes()).isLessThan(CareYear.mostBytes(result.liveBytes()));
        }
    }
}
