// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bench;

import io.shredder.it.figures.AxisTicks;
import io.shredder.it.figures.Chart;
import io.shredder.it.figures.Chart.Axis;
import io.shredder.it.figures.Chart.Curve;
import io.shredder.it.figures.Chart.Point;
import io.shredder.it.figures.Chart.Scale;
import io.shredder.it.figures.Row;
import io.shredder.it.figures.Table;
import io.shredder.it.programs.NativePrograms.Output;
import io.shredder.it.programs.ProgramRow;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.LongStream;

/** The figures of Shredder (FAST 2012) about the engine, in today's terms: 3, 5, 6, 9, 11, 12 and table 2. */
final class ShredderFiguresPart implements Bench.Part {
    private static final Axis BUFFER = new Axis("buffer", Scale.BYTES);
    private static final Axis RATE = new Axis("GB/s", Scale.LINEAR);
    private static final List<Long> PAPER_BUFFERS = sizes(24, 28);
    private static final double MS = 1e3;

    @Override
    public void measure(Bench bench) throws IOException, InterruptedException {
        if (bench.gpu()) {
            figure3(bench);
            figure5(bench);
            figure6(bench);
            table2(bench);
            figure11(bench);
        }
        figure9(bench);
        figure12(bench);
    }

    /** Sizes from one power of two to another. */
    private static List<Long> sizes(int from, int to) {
        return LongStream.rangeClosed(from, to)
                .map(power -> 1L << power)
                .boxed()
                .toList();
    }

    /** Bandwidth between host and device by piece size; the paper's saturates above 32 MB, pinned above 256 KB. */
    private static void figure3(Bench bench) throws IOException, InterruptedException {
        Output output = bench.programs().run("shredder-3", Map.of(), "shredder_transfer", List.of("--sizes"));
        bench.report().keep("shredder-3", output.rows());
        var curves = new ArrayList<Curve>();
        for (String memory : List.of("pinned", "pageable")) {
            for (String way : List.of("h2d", "d2h")) {
                curves.add(curve(
                        memory + (way.equals("h2d") ? " to device" : " to host"),
                        output,
                        row -> row.text("memory").equals(memory) && row.name().equals(way),
                        "pieceBytes",
                        "gbPerSecond"));
            }
        }
        bench.report().add(tableOf("Shredder, figure 3: bandwidth between host and device, GB/s", "piece", curves));
        bench.report()
                .add(new Chart(
                        "shredder-3",
                        "Shredder, figure 3: bandwidth between host and device",
                        new Axis("piece", Scale.BYTES),
                        new Axis("GB/s", Scale.LOGARITHMIC),
                        curves));
    }

    /** Copy and kernel in turn or at once. */
    private static void figure5(Bench bench) throws IOException, InterruptedException {
        ProgramRow scan = bench.row("", "cuda").with("digest", "none");
        Map<String, ProgramRow> curves = new LinkedHashMap<>();
        curves.put("serialized", scan.with("switches", "no-overlap"));
        curves.put("concurrent", scan);
        var sweep = new SettingSweep(
                "shredder-5",
                "Shredder, figure 5: copy and kernel in turn or at once, 1 GiB",
                "buffer",
                PAPER_BUFFERS,
                BUFFER,
                new Axis("ms", Scale.LINEAR),
                curves);
        double copyMs = (1L << 30) / bench.linkRate().orElseThrow() / 1e9 * MS;
        sweep.report(
                bench.report(),
                sweep.measure(bench),
                row -> (1L << 30) / row.rate() / 1e9 * MS,
                List.of(sweep.level("copy alone", copyMs)));
    }

    /** What it costs to get memory of each sort, and what a ring saves. */
    private static void figure6(Bench bench) throws IOException, InterruptedException {
        Output output = bench.programs().run("shredder-6", Map.of(), "shredder_transfer", List.of("--allocation"));
        bench.report().keep("shredder-6", output.rows());
        var curves = new ArrayList<Curve>();
        for (String memory : List.of("pinned", "pageable", "pageable-copied-to-ring", "ring-reused", "device")) {
            Curve seconds = curve(memory, output, row -> row.text("memory").equals(memory), "bytes", "seconds");
            curves.add(new Curve(
                    memory,
                    seconds.points().stream()
                            .map(point -> new Point(point.x(), point.y() * MS))
                            .toList()));
        }
        String title = "Shredder, figure 6: getting a buffer and writing it once";
        bench.report().add(tableOf(title + ", ms", "buffer", curves));
        bench.report().add(new Chart("shredder-6", title, BUFFER, new Axis("ms", Scale.LOGARITHMIC), curves));
    }

    /** What the host has to do while a buffer is on the device. */
    private static void table2(Bench bench) throws IOException, InterruptedException {
        var rows = new ArrayList<ProgramRow>();
        for (long buffer : PAPER_BUFFERS) {
            rows.add(bench.row("" + buffer, "cuda")
                    .with("digest", "none")
                    .with("buffer", buffer)
                    .with("switches", "no-overlap"));
        }
        Output output = bench.rates("shredder-table-2", rows);
        var cells = new ArrayList<List<String>>();
        for (Row row : output.rows()) {
            if (row.error().isEmpty()) {
                double ms = row.number("bufferBytes") / row.rate() / 1e9 * MS;
                double hostMs = ms * row.number("coresBusy");
                cells.add(List.of(
                        ((long) row.number("bufferBytes") >> 20) + " MiB",
                        Table.cell(ms),
                        Table.cell(hostMs),
                        Table.cell(100 * (1 - row.number("coresBusy")))));
            }
        }
        bench.report()
                .add(new Table(
                        "Shredder, table 2: a buffer at a time, copied and scanned",
                        List.of("buffer", "on the device, ms", "host's CPU time, ms", "idle share of a core, %"),
                        cells));
    }

    /** Buffers in flight; the paper's four give twice the rate of one. */
    private static void figure9(Bench bench) throws IOException, InterruptedException {
        Map<String, ProgramRow> curves = new LinkedHashMap<>();
        for (String source : List.of("ring", "copy")) {
            curves.put("bytes from " + source, bench.row("", bench.backend()).with("source", source));
        }
        var sweep = new SettingSweep(
                "shredder-9",
                "Shredder, figure 9: depth of the pipeline on " + bench.backend(),
                "depth",
                List.of(1L, 2L, 3L, 4L),
                new Axis("buffers of the ring", Scale.LINEAR),
                RATE,
                curves);
        var limit = new ArrayList<Curve>();
        bench.linkRate().ifPresent(rate -> limit.add(sweep.level("the link", rate)));
        sweep.report(bench.report(), sweep.measure(bench), Row::rate, limit);
    }

    /** The kernel with each thread on its own stretch of memory, and the one whose loads are coalesced. */
    private static void figure11(Bench bench) throws IOException, InterruptedException {
        ProgramRow scan = bench.row("", "cuda").with("digest", "none").with("bytes", "4G");
        Map<String, ProgramRow> curves = new LinkedHashMap<>();
        curves.put("naive", scan.with("switches", "naive-scan"));
        curves.put("coalesced", scan);
        var sweep = new SettingSweep(
                "shredder-11",
                "Shredder, figure 11: naive and coalesced kernel, end to end",
                "buffer",
                sizes(24, bench.quick() ? 26 : 29),
                BUFFER,
                RATE,
                curves);
        sweep.report(
                bench.report(),
                sweep.measure(bench),
                Row::rate,
                List.of(sweep.level("the link", bench.linkRate().orElseThrow())));
    }

    /** The whole way from the CPU's plain code to the GPU with everything. */
    private static void figure12(Bench bench) throws IOException, InterruptedException {
        var rows = new ArrayList<>(List.of(
                bench.row("CPU; scalar; all cores", "scalar"),
                bench.row("CPU; best form; one core", "cpu").with("threads", 1),
                bench.row("CPU; best form; all cores", "cpu")));
        if (bench.gpu()) {
            ProgramRow gpu = bench.row("GPU basic", "cuda");
            rows.add(gpu.with("switches", "pageable+no-reuse+no-overlap+naive-scan")
                    .with("bytes", "2G"));
            rows.add(gpu.with("name", "GPU; streams")
                    .with("switches", "naive-scan")
                    .with("bytes", "4G"));
            rows.add(gpu.with("name", "GPU; streams + memory"));
        }
        Output output = bench.rates("shredder-12", rows);
        double host = output.row("CPU; scalar; all cores").map(Row::rate).orElse(Double.NaN);
        bench.report()
                .add(new Table(
                        "Shredder, figure 12: scan + cuts + SHA-256, average 8 KiB",
                        List.of("what", "GB/s", "x scalar on all cores", "cores busy"),
                        output.rows().stream()
                                .filter(row -> row.error().isEmpty())
                                .map(row -> List.of(
                                        row.name(),
                                        Table.cell(row.rate()),
                                        Table.cell(row.rate() / host),
                                        Table.cell(row.number("coresBusy"))))
                                .toList()));
    }

    private static Curve curve(String name, Output output, Predicate<Row> chosen, String x, String y) {
        return new Curve(
                name,
                output.rows().stream()
                        .filter(chosen)
                        .map(row -> new Point(row.number(x), row.number(y)))
                        .toList());
    }

    /** A column a curve; the curves have the same points' x. */
    private static Table tableOf(String title, String x, List<Curve> curves) {
        var columns = new ArrayList<>(List.of(x));
        curves.forEach(curve -> columns.add(curve.name()));
        var rows = new ArrayList<List<String>>();
        AxisTicks ticks = AxisTicks.of(Scale.BYTES, 1, 2);
        List<Point> first = curves.isEmpty() ? List.of() : curves.get(0).points();
        for (int i = 0; i < first.size(); i++) {
            var row = new ArrayList<>(List.of(ticks.label(first.get(i).x())));
            for (Curve curve : curves) {
                row.add(Table.cell(curve.points().get(i).y()));
            }
            rows.add(row);
        }
        return new Table(title, columns, rows);
    }
}
