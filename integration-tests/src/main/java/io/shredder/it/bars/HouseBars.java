// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bars;

import io.shredder.it.backup.ProcessorSet;
import io.shredder.it.figures.Bar;
import io.shredder.it.house.NotedSeconds;
import io.shredder.it.house.Walks;
import java.io.IOException;
import java.util.Locale;
import java.util.Optional;

/** How the project is kept: rooms, pages, and the time that a build and its tests take. */
final class HouseBars implements BarSet {
    private static final int WALKS = 4;
    private static final int CORES = 2;

    @Override
    public void measure(Measuring measuring) throws IOException, InterruptedException {
        check(measuring, "packages: no cycle; at most 30 types, index 41", "architecture");
        check(measuring, "prose wrapped at 120 columns", "wrap");
        check(measuring, "lines, files and methods as long as allowed", "checkstyle");
        walks(measuring);
        minutes(measuring, "./run build, of a bare clone", "build", 4);
        minutes(measuring, "./run test", "test", 15);
        minutes(measuring, ".ci/run", "ci", 30);
    }

    /** One of tools/check.sh, which says what it found. */
    private static void check(Measuring measuring, String name, String check) throws IOException, InterruptedException {
        Measuring.Outcome outcome = measuring.run("house-" + check, "tools/check.sh", check);
        measuring.record(
                Bar.holds(name, outcome.succeeded(), outcome.lastLine(), "tools/check.sh " + check + " clean"));
    }

    private static void walks(Measuring measuring) throws IOException {
        Walks walks = Walks.read(measuring.root());
        walks.wrong().forEach(step -> System.out.println("  not one file: " + step));
        measuring.record(Bar.holds(
                "steps of the walks name one file each",
                walks.walks() == WALKS && walks.wrong().isEmpty(),
                String.format(
                        Locale.ROOT,
                        "%d walks, %d steps, %d don't",
                        walks.walks(),
                        walks.steps(),
                        walks.wrong().size()),
                WALKS + " walks, none"));
    }

    /** As long as it took the last time, at this commit. */
    private static void minutes(Measuring measuring, String what, String noted, int most) throws IOException {
        String name = what + ": minutes";
        Optional<Double> seconds = NotedSeconds.of(measuring.root(), noted);
        if (seconds.isEmpty()) {
            measuring.record(Bar.notRun(name, what + " has not passed here at this commit"));
            return;
        }
        Bar bar = Bar.atMost(name, seconds.get() / 60, most, "");
        int cores = ProcessorSet.all().count();
        measuring.record(cores == CORES ? bar : bar.notJudged("on " + cores + " cores"));
    }
}
