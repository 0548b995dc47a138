// SPDX-License-Identifier: Apache-2.0
package io.shredder.it;

import io.shredder.it.bars.BarsCommand;
import io.shredder.it.bench.BenchCommand;
import io.shredder.it.process.BackupJvm;
import io.shredder.it.trials.TrialsCommand;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExecutionException;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.ParseResult;
import picocli.CommandLine.RunLast;
import picocli.CommandLine.Spec;

/**
 * {@code ./run bars}, {@code ./run bench} and {@code ./run trials}: the one program that measures. Exit codes: 0 done
 * and nothing falls short, 1 failed or fell short, 2 wrong usage.
 */
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        description = "Measures. Each word has a --help of its own.",
        subcommands = {BarsCommand.class, BenchCommand.class, TrialsCommand.class})
public final class Measure implements Callable<Integer> {
    /** What measures the backup alone, in a JVM as its programs have it, and how large the heap is. */
    private static final Map<String, String> HEAPS_OF_BACKUP = Map.of(
            "bench agent", "1g",
            // That of the agent's unit of systemd.
            "bench index", "512m",
            "bench link", "1g",
            "bench integrity", "1g",
            "trials", "2g");

    @Spec
    private CommandSpec spec;

    /** What is none of the commands. */
    @Parameters(hidden = true, arity = "0..*")
    private @Nullable List<String> unknown;

    /** Measures and exits. */
    public static void main(String[] args) {
        System.exit(commandLine().execute(args));
    }

    /** All that can be measured. */
    static CommandLine commandLine() {
        return new CommandLine(new Measure())
                .setCaseInsensitiveEnumValuesAllowed(true)
                .setExecutionStrategy(Measure::execute);
    }

    private static int execute(ParseResult parsed) {
        Integer helped = CommandLine.executeHelpRequest(parsed);
        if (helped != null) {
            return helped;
        }
        String heap = HEAPS_OF_BACKUP.get(words(parsed));
        if (heap == null || BackupJvm.isHere()) {
            return new RunLast().execute(parsed);
        }
        try {
            return BackupJvm.run(Path.of("").toAbsolutePath(), heap, Measure.class.getName(), parsed.originalArgs());
        } catch (IOException e) {
            throw new ExecutionException(parsed.commandSpec().commandLine(), e.toString(), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new ExecutionException(parsed.commandSpec().commandLine(), "interrupted", e);
        }
    }

    /** The commands that were asked for, without this one. */
    private static String words(ParseResult parsed) {
        var words = new ArrayList<String>();
        for (ParseResult next = parsed; next.hasSubcommand(); ) {
            next = next.subcommand();
            words.add(next.commandSpec().name());
        }
        return String.join(" ", words);
    }

    @Override
    public Integer call() {
        spec.commandLine()
                .getErr()
                .println("run: " + (unknown == null ? "name what to measure" : "no word '" + unknown.get(0) + "'")
                        + "; there are: bars, bench, trials");
        return CommandLine.ExitCode.USAGE;
    }
}
