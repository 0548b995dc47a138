// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bench;

import io.shredder.it.coding.figures.CodingBenchCommand;
import io.shredder.it.crypto.CryptoBenchCommand;
import io.shredder.it.integrity.IntegrityBenchCommand;
import io.shredder.it.papers.PapersBenchCommand;
import io.shredder.it.pools.PoolsBenchCommand;
import java.util.List;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code ./run bench NAME}: measures, with tables and plots. Each bench is a command of its own. */
@Command(
        name = "bench",
        mixinStandardHelpOptions = true,
        description = "Measures, beside the limits of the same run or other people's programs; prints tables, some with"
                + " plots. Each has a --help of its own.",
        subcommands = {
            EngineBenchCommand.class,
            ChunkingBenchCommand.class,
            IncoopBenchCommand.class,
            BackupBenchCommand.class,
            IndexBenchCommand.class,
            CryptoBenchCommand.class,
            CodingBenchCommand.class,
            PapersBenchCommand.class,
            AgentBenchCommand.class,
            LinkBenchCommand.class,
            DispersalBenchCommand.class,
            PoolsBenchCommand.class,
            IntegrityBenchCommand.class,
            UploadBenchCommand.class
        })
public final class BenchCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    /** What is none of the commands. */
    @Parameters(hidden = true, arity = "0..*")
    private @Nullable List<String> unknown;

    @Override
    public Integer call() {
        CommandLine line = spec.commandLine();
        String names = String.join(", ", new TreeSet<>(line.getSubcommands().keySet()));
        line.getErr()
                .println("bench: " + (unknown == null ? "name one" : "no bench '" + unknown.get(0) + "'")
                        + "; there are: " + names);
        return CommandLine.ExitCode.USAGE;
    }
}
