// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bars;

import io.shredder.it.backup.ProcessorSet;
import io.shredder.it.figures.Bar;
import io.shredder.it.house.NotedSeconds;
import io.shredder.it.house.SourceTree;
import io.shredder.it.house.Walks;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** How the project is kept: rooms, pages, and the time that a build and its tests take. */
final class HouseBars implements BarSet {
    private static final int MOST_TYPES = 30;
    /** One concept each: these may stay together. */
    private static final Map<String, Integer> ALLOWED = Map.of("io.shredder.backup.agent.index", 41);

    private static final int WALKS = 4;
    private static final int CORES = 2;

    @Override
    public void measure(Measuring measuring) throws IOException, InterruptedException {
        SourceTree tree = SourceTree.read(measuring.root());
        Set<String> cyclic = tree.inCycles();
        measuring.record(Bar.atMost("packages in a cycle", cyclic.size(), 0, "", named(cyclic)));
        measuring.record(types(tree.types()));
        check(measuring, "prose wrapped at 120 columns", "wrap");
        check(measuring, "lines, files and methods as long as allowed", "checkstyle");
        walks(measuring);
        minutes(measuring, "./run build, of a bare clone", "build", 4);
        minutes(measuring, "./run test", "test", 15);
        minutes(measuring, ".ci/run", "ci", 30);
    }

    private static String named(Set<String> packages) {
        return packages.isEmpty() ? "none" : String.join(", ", packages);
    }

    private static Bar types(Map<String, Integer> types) {
        List<String> over = types.entrySet().stream()
                .filter(one -> one.getValue() > ALLOWED.getOrDefault(one.getKey(), MOST_TYPES))
                .map(one -> one.getKey() + " " + one.getValue())
                .toList();
        String seen = over.isEmpty()
                ? types.size() + " packages"
                : over.size() + " of " + types.size() + ": " + String.join(", ", over);
        return Bar.holds("types in one package", over.isEmpty(), seen, "at most " + MOST_TYPES + ", index 41");
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
