// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.pools;

import io.shredder.it.figures.Machine;
import io.shredder.it.figures.Report;
import io.shredder.it.process.Children;
import io.shredder.it.programs.NativePrograms;
import java.io.IOException;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./run bench pools}: policies for pools of CPUs and GPUs on 7 and on 700 nodes, by simulation. */
@Command(
        name = "pools",
        mixinStandardHelpOptions = true,
        description = "Simulates clusters that fingerprint what they store, under the engine's policies and others':"
                + " CROCUS's figures 14 to 18. The same code chooses here and in an engine.")
public final class PoolsBenchCommand implements Callable<Integer> {
    @Option(names = "--quick", description = "700 nodes for 15 simulated seconds in place of 60")
    private boolean quick;

    @Option(
            names = "--native",
            paramLabel = "FOLDER",
            description = "a CMake build of shredder-native/native (default: ${DEFAULT-VALUE})")
    private Path nativeBuild = Path.of("shredder-native/target/native");

    @Option(names = "--out", paramLabel = "FOLDER", description = "default: ${DEFAULT-VALUE}")
    private Path out = Path.of("target/bench/pools");

    @Override
    public Integer call() throws IOException, InterruptedException {
        Path root = Path.of("").toAbsolutePath();
        try (var children = new Children()) {
            Runtime.getRuntime().addShutdownHook(new Thread(children::close, "bench-stop"));
            var programs = new NativePrograms(
                    nativeBuild.toAbsolutePath(), out.toAbsolutePath().resolve("logs"), children);
            var report = new Report(
                    Machine.today() + ", simulated on " + Machine.description() + ", commit " + Machine.commit(root)
                            + "\n\n    ./run bench pools" + (quick ? " --quick" : "") + "\n",
                    System.out);
            new PoolFigures(programs, report, quick).make();
            report.write(out.toAbsolutePath());
        }
        System.out.println("tables, plots and rows: " + out);
        return 0;
    }
}
