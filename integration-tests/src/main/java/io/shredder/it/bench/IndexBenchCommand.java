// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bench;

import io.shredder.it.agent.IndexBench;
import io.shredder.it.figures.CountConverter;
import java.io.IOException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

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
            converter = CountConverter.class,
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
            description = "rocksdb, sealed, log-sealed, runs-sealed, clear (default: all); ./run bench crypto has them"
                    + " on a GPU, too")
    private Set<String> only = Set.of();

    @Override
    public Integer call() throws IOException {
        if (rounds < 1) {
            throw new ParameterException(spec.commandLine(), "--rounds " + rounds + " is not 1 or more");
        }
        List<String> here = IndexBench.subjects().stream()
                .filter(subject -> !IndexBench.needsGpu(subject))
                .toList();
        if (!here.containsAll(only)) {
            throw new ParameterException(
                    spec.commandLine(), "--only " + String.join(",", only) + ": there are " + String.join(", ", here));
        }
        System.out.println(new IndexBench(entries, rounds, only, null).measure().markdown());
        System.out.println("this process: " + IndexBench.memory());
        return 0;
    }
}
