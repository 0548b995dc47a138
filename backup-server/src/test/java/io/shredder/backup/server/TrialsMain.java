// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.agent.session.FlipTrial;
import io.shredder.backup.agent.session.PowerLossTrial;
import io.shredder.backup.command.Logging;
import io.shredder.backup.command.NativeCryptography;
import io.shredder.backup.trial.Trial;
import io.shredder.backup.trial.TrialOutcome;
import io.shredder.backup.trial.TrialRun;
import io.shredder.backup.trial.TrialSettings;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.LongFunction;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./run trials}: what the backup must survive, tried at full count. */
@Command(
        name = "trials",
        mixinStandardHelpOptions = true,
        description = {
            "Tries what the backup must survive, very often: a line a bar with its figure and the verdict.",
            "Exit code 0 only if every bar held at its full count."
        })
public final class TrialsMain implements Callable<Integer> {

    /** An agent serves 64 clients at most. */
    private static final int MOST_WORKERS = 60;

    private static final String LAZYFS = "lazyfs";

    /**
     * A bar.
     *
     * @param count how often it must hold
     * @param mostWorkers that may try it at once
     * @param trial how it is tried, so many times
     */
    private record Bar(long count, int mostWorkers, LongFunction<Trial> trial) {}

    private final Map<String, Bar> bars = bars();

    private Map<String, Bar> bars() {
        Map<String, Bar> bars = new LinkedHashMap<>();
        bars.put("kills", new Bar(1_000, MOST_WORKERS, count -> KillTrial.ofProcesses()));
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

    @Option(
            names = "--only",
            split = ",",
            paramLabel = "NAME",
            description =
                    "Of kills, flips, files, hostile, silent, lost-writes, frames, index-100m, lazyfs (default: all, the last only with its option).")
    private List<String> only = List.of();

    @Option(
            names = "--lazyfs",
            paramLabel = "PROGRAM",
            description =
                    "A build of LazyFS (github.com/dsrhaslab/lazyfs): agents die as in a power failure, which costs what they had not forced.")
    private Optional<Path> lazyfs = Optional.empty();

    @Option(names = "--count", paramLabel = "N", description = "Attempts of each, instead of the bar's number.")
    private long count;

    @Option(names = "--first", paramLabel = "N", description = "Number of the first attempt, to repeat one.")
    private long first;

    @Option(
            names = "--stride",
            paramLabel = "N",
            description = "lost-writes: after one of so many changes the power fails (default: after each).")
    private int stride = 1;

    @Option(names = "--parallel", paramLabel = "N", description = "Workers side by side (default: all cores).")
    private int parallel = Runtime.getRuntime().availableProcessors();

    @Option(names = "--seed", paramLabel = "N", description = "Of the whole run (default: another each time).")
    private long seed = System.nanoTime();

    @Option(
            names = "--budget",
            paramLabel = "TIME",
            description = "After which no attempt of a bar begins, as 90s or 9m (default: ${DEFAULT-VALUE}).")
    private String budget = "9m";

    @Option(
            names = "--work",
            paramLabel = "FOLDER",
            description = "Where repositories are made and evidence is kept (default: ${DEFAULT-VALUE}).")
    private Path work = Path.of("target/trials");

    private final PrintStream out;

    private TrialsMain(PrintStream out) {
        this.out = out;
    }

    /** Runs and exits. */
    public static void main(String[] args) {
        Logging.setUp("OFF");
        NativeCryptography.install();
        int exitCode;
        try (ThreadOutput output = ThreadOutput.install()) {
            exitCode = new CommandLine(new TrialsMain(output.real())).execute(args);
        }
        System.out.print(ThreadOutput.take());
        System.out.flush();
        System.exit(exitCode);
    }

    @Override
    public Integer call() throws Exception {
        List<String> unknown =
                only.stream().filter(name -> !bars.containsKey(name)).toList();
        if (!unknown.isEmpty()) {
            out.println(
                    "trials: no " + String.join(", ", unknown) + "; there are: " + String.join(", ", bars.keySet()));
            return 2;
        }
        if (stride < 1) {
            out.println("trials: --stride " + stride + " is not 1 or more");
            return 2;
        }
        if (only.contains(LAZYFS) && lazyfs.isEmpty()) {
            out.println("trials: " + LAZYFS + " needs the program: name it with --lazyfs");
            return 2;
        }
        Path folder = Files.createDirectories(work.toAbsolutePath());
        List<TrialOutcome> outcomes = new ArrayList<>();
        out.println("seed " + seed + " (again with --seed " + seed + "), " + parallel + " workers, in " + folder);
        for (Map.Entry<String, Bar> bar : bars.entrySet()) {
            if (isWanted(bar.getKey())) {
                outcomes.add(run(bar.getValue(), folder));
            }
        }
        outcomes.forEach(outcome -> out.println(line(outcome)));
        return outcomes.stream().allMatch(TrialOutcome::passed) ? 0 : 1;
    }

    private boolean isWanted(String name) {
        return only.isEmpty() ? !name.equals(LAZYFS) || lazyfs.isPresent() : only.contains(name);
    }

    private TrialOutcome run(Bar bar, Path folder) throws InterruptedException {
        long wanted = count > 0 ? count : bar.count();
        Duration limit = Duration.parse("PT" + budget.toUpperCase(Locale.ROOT));
        return TrialRun.of(
                bar.trial().apply(wanted),
                new TrialSettings(wanted, first, Math.min(parallel, bar.mostWorkers()), limit, seed, folder),
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
