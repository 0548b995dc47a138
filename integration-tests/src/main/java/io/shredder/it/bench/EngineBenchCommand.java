// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bench;

import io.shredder.it.figures.Machine;
import io.shredder.it.figures.Report;
import io.shredder.it.process.Children;
import io.shredder.it.programs.NativePrograms;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Set;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code ./run bench engine}: measures, prints tables, and leaves them with plots and all rows in a folder. */
@Command(
        name = "engine",
        mixinStandardHelpOptions = true,
        description = "Measures beside the limits of the same run and other people's programs. Needs no network where"
                + " those are built already.")
final class EngineBenchCommand implements Callable<Integer> {
    private static final long INPUT_BYTES = 512L << 20;
    private static final long QUICK_INPUT_BYTES = 128L << 20;

    @Option(names = "--gpu", description = "measure also what needs a GPU; an error where there is none")
    private boolean gpu;

    @Option(names = "--quick", description = "less of everything, in a few minutes")
    private boolean quick;

    @Option(
            names = "--native",
            paramLabel = "FOLDER",
            description = "a CMake build of shredder-native/native (default: ${DEFAULT-VALUE})")
    private Path nativeBuild = Path.of("shredder-native/target/native");

    @Option(names = "--out", paramLabel = "FOLDER", description = "default: ${DEFAULT-VALUE}")
    private Path out = Path.of("target/bench/engine");

    @Option(
            names = "--peers",
            paramLabel = "FOLDER",
            description = "other people's programs, as tools/peers/build.sh builds them (default: ${DEFAULT-VALUE})")
    private Path peers = Path.of("target/bench/peers");

    @Option(
            names = "--only",
            paramLabel = "PART",
            split = ",",
            description = "parts to measure beside the limits: kernels, core, threads, engine, java, shredder, hashgpu")
    private Set<String> only = Set.of();

    @Override
    public Integer call() throws IOException, InterruptedException {
        if (gpu && Machine.gpus().isEmpty()) {
            System.err.println("bench: --gpu, but nvidia-smi names no GPU on this machine");
            return 2;
        }
        try (var children = new Children()) {
            Runtime.getRuntime().addShutdownHook(new Thread(children::close, "bench-stop"));
            return measure(children);
        } catch (IllegalArgumentException e) {
            System.err.println("bench: " + e.getMessage());
            return 2;
        }
    }

    private int measure(Children children) throws IOException, InterruptedException {
        Path root = Path.of("").toAbsolutePath();
        Path folder = out.toAbsolutePath();
        var programs = new NativePrograms(nativeBuild.toAbsolutePath(), folder.resolve("logs"), children);
        var report = new Report(heading(root), System.out);
        var inputs =
                new BenchInputs(folder.resolveSibling("inputs"), quick ? QUICK_INPUT_BYTES : INPUT_BYTES, children);
        var bench = new Bench(programs, report, gpu, quick);
        var engine = new EngineBench(bench, inputs, Peers.in(peers.toAbsolutePath(), root, programs, children));
        int failed = (only.isEmpty() ? engine : engine.only(only)).measure();
        report.write(folder);
        System.out.println("tables, plots and rows: " + out);
        return failed == 0 ? 0 : 1;
    }

    private String heading(Path root) throws IOException {
        return Machine.today() + ", " + Machine.description() + ", commit " + Machine.commit(root)
                + "\n\n    ./run bench engine" + (gpu ? " --gpu" : "") + (quick ? " --quick" : "")
                + (only.isEmpty() ? "" : " --only " + String.join(",", only)) + "\n";
    }
}
