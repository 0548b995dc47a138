// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bench;

import io.shredder.it.agent.DispersalBench;
import java.io.IOException;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./run bench dispersal}: a store over keepers beside one folder. */
@Command(
        name = "dispersal",
        mixinStandardHelpOptions = true,
        description = "Backs up to and restores from a store over 4 + 2 keepers on this machine, beside an agent with"
                + " one folder: with all keepers, with two dead, and with one that is 100 times slower; and restores"
                + " from 4 + 2 folders. Tells what the processes use.")
final class DispersalBenchCommand implements Callable<Integer> {
    @Option(names = "--mib", paramLabel = "N", description = "length of the image (default: ${DEFAULT-VALUE})")
    private int mib = 512;

    @Option(names = "--rounds", paramLabel = "N", description = "restores of each kind (default: ${DEFAULT-VALUE})")
    private int rounds = 5;

    @Option(
            names = "--warm-up",
            paramLabel = "SECONDS",
            description =
                    "of restores before those that count (default: ${DEFAULT-VALUE}); a keeper does so little that"
                            + " its compilers take minutes to end")
    private int warmUpS = 20;

    @Override
    public Integer call() throws IOException, InterruptedException {
        DispersalBench.Rates rates = new DispersalBench(mib, rounds, warmUpS).run();
        System.out.printf(
                "%-32s %8s %8s   %s: %7s %7s %7s%n",
                "", "MB/s", "x", "CPU s / 10^9 bytes", "client", "agent", "keepers");
        print("backup, one folder", rates.plainBackup(), rates.plainBackup());
        print("backup, 4 + 2", rates.backup(), rates.plainBackup());
        print("restore, one folder", rates.plain(), rates.plain());
        print("restore, 4 + 2 folders", rates.local(), rates.plain());
        print("restore, 4 + 2", rates.all(), rates.plain());
        print("restore, 2 of them dead", rates.degraded(), rates.plain());
        print("restore, 1 of them 100 x slower", rates.slowed(), rates.plain());
        return 0;
    }

    private static void print(String what, double rate, double beside) {
        System.out.printf(Locale.ROOT, "%-32s %8.1f %8.2f%n", what, rate, rate / beside);
    }

    private static void print(String what, DispersalBench.Restores restores, DispersalBench.Restores beside) {
        System.out.printf(
                Locale.ROOT,
                "%-32s %8.1f %8.2f   %28.2f %7.2f %7.2f%n",
                what,
                restores.rate(),
                restores.rate() / beside.rate(),
                restores.client(),
                restores.agent(),
                restores.keepers());
    }
}
