// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.store;

import io.shredder.backup.agent.s3.S3KillTrial;
import io.shredder.backup.agent.s3.S3Server;
import io.shredder.backup.command.Logging;
import io.shredder.backup.trial.TrialOutcome;
import io.shredder.backup.trial.TrialRun;
import io.shredder.backup.trial.TrialSettings;
import io.shredder.it.corpus.Folders;
import io.shredder.it.figures.Bar;
import io.shredder.it.figures.Machine;
import io.shredder.it.process.Children;
import io.shredder.it.process.MavenTests;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** {@code ./run bars store}: a store in an object store, on the one that {@code tools/s3-server.sh} builds. */
public final class StoreBars {
    private static final String TESTS = "tests";
    private static final String KILLS = "kills";
    private static final String SPEED = "speed";

    /** What {@code --only} takes. */
    public static final List<String> PARTS = List.of(TESTS, KILLS, SPEED);

    /** Of an image of the speed bar, where nobody says another. */
    public static final long IMAGE_BYTES = 4_000_000_000L;

    private static final long MANY_KILLS = 1_000;
    private static final long FEW_KILLS = 50;
    private static final Duration KILLING = Duration.ofHours(3);
    /** Bar and the classes that show it. */
    private static final Map<String, String> CLASSES = Map.of(
            "contract, two agents in a process", "S3StorageIT",
            "two agents as processes", "S3ProcessesIT",
            "lost, repeated and late requests", "S3FaultsIT",
            "locked: deletion by whoever has all keys", "S3LockIT",
            "a repository there", "S3RepositoryIT");

    /**
     * How much is measured.
     *
     * @param brief whether few kills and one round will do
     * @param seed of what is killed when
     * @param imageBytes of the image that is backed up
     */
    public record Extent(boolean brief, long seed, long imageBytes) {}

    private final Path root;
    private final Children children;
    private final Consumer<Bar> bars;
    private final Path work;

    private StoreBars(Path root, Children children, Consumer<Bar> bars) throws IOException {
        this.root = root;
        this.children = children;
        this.bars = bars;
        this.work = root.resolve("target/bars/store");
        Folders.delete(work);
        Files.createDirectories(work);
    }

    /**
     * Measures in {@code target/bars/store}, which is made anew.
     *
     * @param root the checkout, built
     * @param has whether a part is asked for
     * @param extent how much is measured
     * @param bars told each bar as it comes
     */
    public static void measure(Path root, Children children, Predicate<String> has, Extent extent, Consumer<Bar> bars)
            throws IOException, InterruptedException {
        System.out.println(Machine.description());
        if (S3Server.program().isEmpty()) {
            bars.accept(Bar.notRun("object store", "no object store is here: run tools/s3-server.sh"));
            return;
        }
        StoreBars store = new StoreBars(root, children, bars);
        if (has.test(TESTS)) {
            store.tests();
        }
        if (has.test(KILLS)) {
            store.kills(extent.brief() ? FEW_KILLS : MANY_KILLS, extent.seed());
        }
        if (has.test(SPEED)) {
            new StoreSpeed(root, store.work.resolve(SPEED), children, bars).measure(extent);
        }
    }

    private void tests() throws IOException, InterruptedException {
        for (Map.Entry<String, String> each : CLASSES.entrySet()) {
            bars.accept(ran(each.getKey(), each.getValue()));
        }
    }

    private Bar ran(String name, String tests) throws IOException, InterruptedException {
        MavenTests ran = MavenTests.run(
                children, root, "backup-agent", MavenTests.Kind.INTEGRATION, tests, work.resolve(tests + ".log"));
        return Bar.holds(name, ran.whole(), ran.figure(), "all pass");
    }

    private void kills(long count, long seed) throws InterruptedException {
        Logging.setUp("OFF");
        int repositories = Math.max(1, Runtime.getRuntime().availableProcessors() / 2);
        TrialSettings settings = new TrialSettings(count, 0, repositories, KILLING, seed, work);
        TrialOutcome outcome = TrialRun.of(new S3KillTrial(), settings, System.err);
        bars.accept(Bar.holds(
                String.format(
                        Locale.ROOT, "%,d kills, %d at a time, requests lost, twice and late", count, repositories),
                outcome.passed(),
                outcome.figure(),
                "nothing lost"));
    }
}
