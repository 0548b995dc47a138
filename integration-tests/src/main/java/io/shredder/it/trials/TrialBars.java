// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.trials;

import io.shredder.backup.agent.dispersal.kill.KeeperKillTrial;
import io.shredder.backup.agent.session.FlipTrial;
import io.shredder.backup.agent.session.PowerLossTrial;
import io.shredder.backup.command.Logging;
import io.shredder.backup.command.NativeCryptography;
import io.shredder.backup.server.FilesTrial;
import io.shredder.backup.server.FrameTrial;
import io.shredder.backup.server.HostileTrial;
import io.shredder.backup.server.KillTrial;
import io.shredder.backup.server.SilentTrial;
import io.shredder.backup.server.ThreadOutput;
import io.shredder.backup.trial.Trial;
import io.shredder.backup.trial.TrialOutcome;
import io.shredder.backup.trial.TrialRun;
import io.shredder.backup.trial.TrialSettings;
import java.io.PrintStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.LongFunction;

/** What the backup must survive, and how often. Another trial is one more line of {@link #bars}. */
final class TrialBars {
    static final String LAZYFS = "lazyfs";

    /** As {@code --only} takes them. */
    static final List<String> NAMES = List.of(
            "kills",
            "keeper-kills-4-2",
            "keeper-kills-5-3",
            "flips",
            "files",
            "hostile",
            "silent",
            "lost-writes",
            "frames",
            "index-100m",
            LAZYFS);

    /** An agent serves 64 clients at most. */
    private static final int MOST_WORKERS = 60;

    /** Each of up to nine processes. */
    private static final int MOST_SITES = 8;

    /**
     * A bar.
     *
     * @param count how often it must hold
     * @param mostWorkers that may try it at once
     * @param trial how it is tried, so many times
     */
    private record Bar(long count, int mostWorkers, LongFunction<Trial> trial) {}

    private final int stride;
    private final Optional<Path> lazyfs;
    private final TrialSettings settings;

    /**
     * Nothing is tried yet.
     *
     * @param stride the power is lost after one of so many changes
     * @param lazyfs a build of LazyFS
     * @param settings of each trial; with a count of 0 each is tried as often as its bar says
     */
    TrialBars(int stride, Optional<Path> lazyfs, TrialSettings settings) {
        this.stride = stride;
        this.lazyfs = lazyfs;
        this.settings = settings;
    }

    private Map<String, Bar> bars() {
        Map<String, Bar> bars = new LinkedHashMap<>();
        bars.put("kills", new Bar(1_000, MOST_WORKERS, count -> KillTrial.ofProcesses()));
        bars.put("keeper-kills-4-2", new Bar(500, MOST_SITES, count -> new KeeperKillTrial(4, 2)));
        bars.put("keeper-kills-5-3", new Bar(500, MOST_SITES, count -> new KeeperKillTrial(5, 3)));
        bars.put("flips", new Bar(100_000, MOST_WORKERS, count -> new FlipTrial()));
        bars.put("files", new Bar(10_000, MOST_WORKERS, count -> new FilesTrial()));
        bars.put("hostile", new Bar(10_000, HostileTrial.MOST_WORKERS, count -> new HostileTrial()));
        bars.put("silent", new Bar(600, SilentTrial.MOST_WORKERS, count -> new SilentTrial()));
        bars.put("lost-writes", new Bar(20_000, MOST_WORKERS, count -> new PowerLossTrial(stride)));
        bars.put("frames", new Bar(10_000_000, MOST_WORKERS, count -> new FrameTrial()));
        bars.put("index-100m", new Bar(100_000_000, 1, IndexTrial::new));
        bars.put(LAZYFS, new Bar(1_000, MOST_WORKERS, count -> KillTrial.onLazyFs(lazyfs.orElseThrow())));
        return bars;
    }

    /**
     * Tries and prints.
     *
     * @param only names of trials; none means all
     * @return whether every bar held at its full count
     */
    boolean run(List<String> only) throws InterruptedException {
        Logging.setUp("OFF");
        NativeCryptography.install();
        try (ThreadOutput output = ThreadOutput.install()) {
            PrintStream out = output.real();
            out.println("seed " + settings.seed() + " (again with --seed " + settings.seed() + "), "
                    + settings.workers() + " workers, in " + settings.folder());
            List<TrialOutcome> outcomes = new ArrayList<>();
            for (Map.Entry<String, Bar> bar : bars().entrySet()) {
                if (isWanted(bar.getKey(), only)) {
                    outcomes.add(run(bar.getValue(), out));
                }
            }
            outcomes.forEach(outcome -> out.println(line(outcome)));
            return outcomes.stream().allMatch(TrialOutcome::passed);
        }
    }

    private boolean isWanted(String name, List<String> only) {
        return only.isEmpty() ? !name.equals(LAZYFS) || lazyfs.isPresent() : only.contains(name);
    }

    private TrialOutcome run(Bar bar, PrintStream out) throws InterruptedException {
        long wanted = settings.count() > 0 ? settings.count() : bar.count();
        return TrialRun.of(
                bar.trial().apply(wanted),
                new TrialSettings(
                        wanted,
                        settings.first(),
                        Math.min(settings.workers(), bar.mostWorkers()),
                        settings.budget(),
                        settings.seed(),
                        settings.folder()),
                out);
    }

    private static String line(TrialOutcome outcome) {
        return String.format(
                Locale.ROOT,
                "%-12s %s; needed %,d without failure: %s",
                outcome.name(),
                outcome.figure(),
                outcome.wanted(),
                outcome.verdict());
    }
}
