// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bench;

import io.shredder.it.agent.IndexBench;
import java.io.IOException;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code ./run bench index}: the agent's index beside RocksDB and beside itself without encryption. */
@Command(
        name = "index",
        mixinStandardHelpOptions = true,
        description =
                "Measures the agent's index beside RocksDB, and with encryption of index and log switched off: put,"
                        + " hit, miss, batched hit, remove, merge of two runs, replay of the log and opening, then the memory of"
                        + " this process, whose heap is that of the agent's unit of systemd.")
final class IndexBenchCommand implements Callable<Integer> {
    @Spec
    private CommandSpec spec;

    @Option(
            names = "--entries",
            paramLabel = "N",
            converter = Count.class,
            description = "in each index, with an optional k or m: thousands or millions (default: 10m)")
    private long entries = 10_000_000;

    @Option(
            names = "--rounds",
            paramLabel = "N",
            description = "of look-ups; medians count (default: ${DEFAULT-VALUE})")
    private int rounds = 3;

    @Option(
            names = "--only",
            split = ",",
            paramLabel = "KIND",
            description = "rocksdb, sealed, log-sealed, runs-sealed, clear (default: all)")
    private Set<String> only = Set.of();

    /** How many, as 500k or 10m. */
    private static final class Count implements ITypeConverter<Long> {
        @Override
        public Long convert(String text) {
            String digits = text.replaceAll("[km]$", "");
            if (!digits.matches("[1-9][0-9]{0,9}")) {
                throw new TypeConversionException("'" + text + "' is not a number such as 500k or 10m");
            }
            return Long.parseLong(digits) * (text.endsWith("k") ? 1000 : text.endsWith("m") ? 1_000_000 : 1);
        }
    }

    @Override
    public Integer call() throws IOException {
        if (rounds < 1) {
            throw new ParameterException(spec.commandLine(), "--rounds " + rounds + " is not 1 or more");
        }
        if (!IndexBench.subjects().containsAll(only)) {
            throw new ParameterException(
                    spec.commandLine(),
                    "--only " + String.join(",", only) + ": there are " + String.join(", ", IndexBench.subjects()));
        }
        new IndexBench(entries, rounds, only).run();
        return 0;
    }
}
