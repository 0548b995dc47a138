// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.care;

import io.shredder.backup.server.CareYear;
import io.shredder.it.corpus.Folders;
import io.shredder.it.figures.Bar;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;

/** 365 days of a daemon and its agents, on a clock that jumps. */
final class YearMeasures {
    private static final Instant BEGIN = Instant.parse("2026-01-05T18:00:00Z");
    private static final int DAYS = 365;
    private static final long SEED = 20_260_105;

    private YearMeasures() {}

    static void measure(Path folder, Consumer<Bar> bars) throws IOException, InterruptedException {
        long seed = Long.getLong("shredder.seed", SEED);
        long beganNs = System.nanoTime();
        CareYear.Result result;
        try (CareYear year = new CareYear(folder, BEGIN, seed)) {
            result = year.live(DAYS);
        } finally {
            Folders.delete(folder);
        }
        Map<String, Integer> counts = new TreeMap<>(result.counts());
        bars.accept(Bar.reported(
                DAYS + " days, seed " + seed, counts + ", in " + (System.nanoTime() - beganNs) / 1_000_000_000 + " s"));
        bars.accept(Bar.holds(
                "rules of retention, quiet times, verification and copies in time, restores",
                result.broken().isEmpty(),
                result.broken().isEmpty() ? "all held" : result.broken().toString(),
                "no day on which one doesn't hold"));
        bars.accept(Bar.atLeast("prunes compared with the oracle", counts.getOrDefault("prunes checked", 0), DAYS, ""));
        double live = result.liveBytes() / 1e6;
        bars.accept(Bar.atMost(
                "store after a year",
                result.storeBytes() / 1e6,
                CareYear.mostBytes(result.liveBytes()) / 1e6,
                "MB",
                "what lives takes " + Math.round(live * 10) / 10.0 + " MB"));
    }
}
