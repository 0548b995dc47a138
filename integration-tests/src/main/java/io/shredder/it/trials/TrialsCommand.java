// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.trials;

import io.shredder.backup.trial.TrialSettings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
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
public final class TrialsCommand implements Callable<Integer> {
    @Option(
            names = "--only",
            split = ",",
            paramLabel = "NAME",
            description =
                    "Of kills, keeper-kills-4-2, keeper-kills-5-3, flips, files, hostile, silent, lost-writes, frames, index-100m, lazyfs (default: all, the last only with its option).")
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

    @Override
    public Integer call() throws IOException, InterruptedException {
        Optional<String> problem = problem();
        if (problem.isPresent()) {
            System.err.println("trials: " + problem.get());
            return 2;
        }
        Duration limit = Duration.parse("PT" + budget.toUpperCase(Locale.ROOT));
        Path folder = Files.createDirectories(work.toAbsolutePath());
        return new TrialBars(stride, lazyfs, new TrialSettings(count, first, parallel, limit, seed, folder)).run(only)
                ? 0
                : 1;
    }

    private Optional<String> problem() {
        List<String> unknown =
                only.stream().filter(name -> !TrialBars.NAMES.contains(name)).toList();
        if (!unknown.isEmpty()) {
            return Optional.of(
                    "no " + String.join(", ", unknown) + "; there are: " + String.join(", ", TrialBars.NAMES));
        }
        if (stride < 1) {
            return Optional.of("--stride " + stride + " is not 1 or more");
        }
        if (only.contains(TrialBars.LAZYFS) && lazyfs.isEmpty()) {
            return Optional.of(TrialBars.LAZYFS + " needs the program: name it with --lazyfs");
        }
        return Optional.empty();
    }
}
