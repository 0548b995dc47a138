// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bars;

import io.shredder.it.agent.DispersalBench;
import io.shredder.it.figures.Bar;
import java.io.IOException;
import java.util.Locale;

/** A store over 4 + 2 keepers of this machine beside one folder. */
final class DispersalBars {
    private static final int MIB = 512;
    private static final int ROUNDS = 5;

    private DispersalBars() {}

    static void measure(Measuring measuring) throws InterruptedException {
        measuring.attempt("dispersal 4 + 2", () -> compare(measuring));
    }

    private static void compare(Measuring measuring) throws IOException, InterruptedException {
        DispersalBench.Rates rates = new DispersalBench(MIB, ROUNDS).run();
        compare(measuring, "backup", rates.backup(), rates.plainBackup(), 0.8);
        compare(measuring, "restore", rates.all().rate(), rates.plain().rate(), 0.9);
        compare(
                measuring,
                "restore with 2 dead",
                rates.degraded().rate(),
                rates.plain().rate(),
                0.75);
        compare(
                measuring,
                "restore with 1 that is 100 x slower",
                rates.slowed().rate(),
                rates.plain().rate(),
                0.8);
    }

    private static void compare(Measuring measuring, String what, double rate, double plain, double needed) {
        measuring.record(Bar.atLeastTimes(
                "dispersal 4 + 2, " + what,
                rate / plain,
                needed,
                String.format(Locale.ROOT, "one folder, %.0f : %.0f MB/s", rate, plain)));
    }
}
