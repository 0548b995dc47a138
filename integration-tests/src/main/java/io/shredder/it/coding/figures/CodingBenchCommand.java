// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.coding.figures;

import io.shredder.it.coding.CoderPeers;
import io.shredder.it.figures.Machine;
import io.shredder.it.figures.Report;
import io.shredder.it.figures.Row;
import io.shredder.it.process.Children;
import io.shredder.it.programs.NativePrograms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** {@code ./run bench coding}: IStore's evaluation, as far as it is about coding. */
@Command(
        name = "coding",
        mixinStandardHelpOptions = true,
        description =
                "IStore's table III and figures 8 and 9 with today's coders, ours and other people's, and energy in"
                        + " place of watts. Rates in GB/s (10^9 bytes of data a second) by the thread's CPU time, of all cores by"
                        + " the clock; figure 9 in MB/s (10^6), its network modelled in this process.")
public final class CodingBenchCommand implements Callable<Integer> {
    private static final String TABLE = "table";
    private static final String FIGURE_8A = "figure-8a";
    private static final String FIGURE_8B = "figure-8b";
    private static final String FIGURE_9 = "figure-9";
    private static final String ENERGY = "energy";
    private static final String OURS = "shredder_coders";
    private static final String OURS_ON_GPU = "shredder_coding_gpu";
    private static final List<String> PARTS = List.of(TABLE, FIGURE_8A, FIGURE_8B, FIGURE_9, ENERGY);

    @Option(
            names = "--gpu",
            description =
                    "adds shredder_coding_gpu's rows, at those of its shapes that figures 8a and 8b have; an error"
                            + " where there is no GPU")
    private boolean gpu;

    @Option(
            names = "--quick",
            description = "less of everything, in a few minutes: up to 32 parity shards, no 1 GB files")
    private boolean quick;

    @Option(
            names = "--only",
            split = ",",
            paramLabel = "PART",
            description = "some of table, figure-8a, figure-8b, figure-9, energy; default: all")
    private List<String> only = List.of();

    @Option(
            names = "--machines",
            paramLabel = "N",
            description = "of table III's availability (default: ${DEFAULT-VALUE})")
    private int machines = 1000;

    @Option(
            names = "--down",
            split = ",",
            paramLabel = "M",
            description = "how many of them are down (default: 10,50,100)")
    private List<Integer> down = List.of(10, 50, 100);

    @Option(
            names = "--node-gbps",
            paramLabel = "RATE",
            description = "figure 9: link of each node, in 10^9 bits a second (default: ${DEFAULT-VALUE})")
    private double nodeGbps = 1;

    @Option(
            names = "--client-gbps",
            paramLabel = "RATE",
            description = "figure 9: link of the client, in 10^9 bits a second (default: ${DEFAULT-VALUE})")
    private double clientGbps = 10;

    @Option(
            names = "--latency-ms",
            paramLabel = "MS",
            description = "figure 9: one way, in milliseconds (default: ${DEFAULT-VALUE})")
    private double latencyMs = 0.1;

    @Option(
            names = "--window-mib",
            paramLabel = "N",
            description = "figure 9: what a client has under way at once, in MiB (default: ${DEFAULT-VALUE})")
    private int windowMib = 128;

    @Option(
            names = "--native",
            paramLabel = "FOLDER",
            description = "a CMake build of shredder-native/native (default: ${DEFAULT-VALUE})")
    private Path nativeBuild = Path.of("shredder-native/target/native");

    @Option(names = "--out", paramLabel = "FOLDER", description = "default: ${DEFAULT-VALUE}")
    private Path out = Path.of("target/bench/coding");

    @Spec
    private CommandSpec spec;

    @Override
    public Integer call() throws IOException, InterruptedException {
        check();
        if (gpu && Machine.gpus().isEmpty()) {
            System.err.println("bench: --gpu, but nvidia-smi names no GPU on this machine");
            return 2;
        }
        if (wants(FIGURE_8A) || wants(FIGURE_8B)) {
            for (String program : gpu ? List.of(OURS, OURS_ON_GPU) : List.of(OURS)) {
                if (!Files.isExecutable(nativeBuild.resolve(program))) {
                    System.err.println(
                            "bench: " + nativeBuild + " has no " + program + ": build shredder-native/native there");
                    return 1;
                }
            }
        }
        var report = new Report(
                Machine.today() + ", " + Machine.description() + ", commit "
                        + Machine.commit(Path.of("").toAbsolutePath()) + "\n\n    ./run "
                        + String.join(
                                " ", spec.root().commandLine().getParseResult().originalArgs()) + "\n",
                System.out);
        if (wants(TABLE)) {
            SchemeFigures.addTo(report, machines, down);
        }
        if (wants(FIGURE_8A) || wants(FIGURE_8B)) {
            figure8(report);
        }
        if (wants(FIGURE_9)) {
            try (var coding = new RealCoding(1)) {
                var links = new NodeLinks(
                        1, nodeGbps * 1e9 / 8, clientGbps * 1e9 / 8, latencyMs / 1e3, (long) windowMib << 20);
                new NodeFigures(links, coding, report, quick).addAll();
            }
        }
        if (wants(ENERGY)) {
            new EnergyFigures(EnergyCounters.POWERCAP, report, quick).add(gpu);
        }
        report.write(out.toAbsolutePath());
        System.out.println("tables, plots and rows: " + out);
        return 0;
    }

    private boolean wants(String part) {
        return only.isEmpty() || only.contains(part);
    }

    private void check() {
        require(
                PARTS.containsAll(only),
                "--only " + String.join(",", only) + ": there are " + String.join(", ", PARTS));
        int most = Scheme.TABLE_3.stream().mapToInt(Scheme::shards).max().orElse(0);
        require(machines >= most, "--machines " + machines + ": a file of table III is on up to " + most);
        for (int each : down) {
            require(each >= 0 && each <= machines, "--down " + each + ": there are " + machines + " machines");
        }
        require(nodeGbps > 0, "--node-gbps: more than 0");
        require(clientGbps > 0, "--client-gbps: more than 0");
        require(latencyMs >= 0, "--latency-ms: 0 or more");
        require(windowMib > 0, "--window-mib: 1 or more");
    }

    private void require(boolean holds, String otherwise) {
        if (!holds) {
            throw new ParameterException(spec.commandLine(), otherwise);
        }
    }

    private void figure8(Report report) throws IOException, InterruptedException {
        try (var children = new Children()) {
            Runtime.getRuntime().addShutdownHook(new Thread(children::close, "bench-stop"));
            var programs = new NativePrograms(
                    nativeBuild.toAbsolutePath(), out.toAbsolutePath().resolve("logs"), children);
            List<Row> gpuRows = new ArrayList<>();
            if (gpu) {
                System.out.println("  figure 8: " + OURS_ON_GPU);
                gpuRows.addAll(programs.run("coding-gpu", Map.of(), OURS_ON_GPU, List.of())
                        .rows());
                report.keep("coding-gpu", gpuRows);
            }
            System.out.println("  figure 8: other people's coders are built, where they are not there yet");
            Path ours = programs.build().resolve(OURS);
            try (CoderPeers peers = CoderPeers.start(Path.of("").toAbsolutePath(), ours, children)) {
                peers.missing().forEach(line -> report.note(Report.NOT_HERE + line));
                if (peers.forms().isEmpty()) {
                    report.note(Report.NOT_HERE + "our coder's forms are for CPUs with AVX2");
                }
                var figures = new ParityFigures(peers, report, gpuRows, quick);
                if (wants(FIGURE_8A)) {
                    figures.addTo(ParityFigures.Figure.A);
                }
                if (wants(FIGURE_8B)) {
                    figures.addTo(ParityFigures.Figure.B);
                }
            }
        }
    }
}
