// SPDX-License-Identifier: Apache-2.0
package io.shredder.it;

import io.shredder.it.bars.BarsCommand;
import io.shredder.it.bench.BenchCommand;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/**
 * {@code ./run bars} and {@code ./run bench}: the one program that measures. Exit codes: 0 done and nothing falls short,
 * 1 failed or fell short, 2 wrong usage.
 */
@Command(
        name = "run",
        mixinStandardHelpOptions = true,
        description = "Measures. Each word has a --help of its own.",
        subcommands = {BarsCommand.class, BenchCommand.class})
public final class Measure implements Callable<Integer> {
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
        return new CommandLine(new Measure()).setCaseInsensitiveEnumValuesAllowed(true);
    }

    @Override
    public Integer call() {
        spec.commandLine()
                .getErr()
                .println("run: " + (unknown == null ? "name what to measure" : "no word '" + unknown.get(0) + "'")
                        + "; there are: bars, bench");
        return CommandLine.ExitCode.USAGE;
    }
}
