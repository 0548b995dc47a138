// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bench;

import io.shredder.it.figures.AxisTicks;
import io.shredder.it.figures.Chart.Axis;
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
import java.util.stream.LongStream;

/**
 * The figures of HashGPU and CrystalGPU about their runtime, in today's terms: 4, 5 and 6. Their window hashing stands
 * for our scan with cuts, their direct hashing for the same with SHA-256 of every chunk. A task is one buffer; streams
 * are of ten.
 */
final class HashGpuFiguresPart implements Bench.Part {
    private static final Axis BLOCK = new Axis("block", Scale.BYTES);
    private static final String ONE_CORE = "one core";
    private static final String NOTHING_OFF = "";
    /** What the papers call HashGPU alone: buffers for each task, one task after the other. */
    private static final String ALONE = "no-reuse+no-overlap";

    private static final String WITH_REUSE = "no-overlap";

    @Override
    public void measure(Bench bench) throws IOException, InterruptedException {
        if (bench.gpu()) {
            figure4(bench);
        }
        speedUp(bench, "hashgpu-5", "HashGPU, figure 5: window hashing, ten blocks", "none");
        speedUp(bench, "hashgpu-6", "HashGPU, figure 6: direct hashing, ten blocks", "sha256");
    }

    /** 64 KiB to 64 MiB, four times as much each. */
    private static List<Long> blocks() {
        return LongStream.of(16, 18, 20, 22, 24, 26)
                .map(power -> 1L << power)
                .boxed()
                .toList();
    }

    private static ProgramRow tenBlocks(Bench bench, String backend, String digest) {
        return bench.row("", backend)
                .with("digest", digest)
                .with("source", "copy")
                .with("blocks", 10)
                .with("repeat", bench.quick() ? 7 : 15);
    }

    /** Where the time goes without any optimisation: differences between runs with one thing more switched on. */
    private static void figure4(Bench bench) throws IOException, InterruptedException {
        Output links = bench.programs().run("hashgpu-4-links", Map.of(), "shredder_transfer", List.of("--sizes"));
        ProgramRow plain = tenBlocks(bench, "cuda", "none").with("depth", 1);
        var rows = new ArrayList<ProgramRow>();
        for (long block : blocks()) {
            ProgramRow row = plain.with("buffer", block);
            rows.add(row.with("name", "plain " + block).with("switches", "pageable+no-reuse+no-overlap+naive-scan"));
            rows.add(row.with("name", "reused " + block).with("switches", "pageable+no-overlap+naive-scan"));
        }
        Output output = bench.rates("hashgpu-4", rows);
        var cells = new ArrayList<List<String>>();
        for (long block : blocks()) {
            double all = perBlock(output, "plain " + block, block);
            double reused = perBlock(output, "reused " + block, block);
            double copy = block / pageableRate(links, block) / 1e9;
            if (Double.isFinite(all + reused + copy)) {
                cells.add(List.of(
                        AxisTicks.of(Scale.BYTES, 1, 2).label((double) block),
                        Table.cell(all * 1e3),
                        percent((all - reused) / all),
                        percent(copy / all),
                        percent((reused - copy) / all)));
            }
        }
        bench.report()
                .add(new Table(
                        "HashGPU, figure 4: where a task's time goes without any optimisation",
                        List.of("block", "task, ms", "allocation, %", "copy to the device, %", "the rest, %"),
                        cells));
    }

    private static String percent(double share) {
        return Table.cell(100 * Math.max(0, share));
    }

    private static double perBlock(Output output, String name, long block) {
        return output.row(name).map(row -> block / row.rate() / 1e9).orElse(Double.NaN);
    }

    private static double pageableRate(Output links, long block) {
        return links.rows().stream()
                .filter(row -> row.name().equals("h2d")
                        && row.text("memory").equals("pageable")
                        && row.number("pieceBytes") == block)
                .findFirst()
                .map(Row::rate)
                .orElse(Double.NaN);
    }

    /** What each piece of the runtime adds, as a multiple of one core. */
    private static void speedUp(Bench bench, String id, String title, String digest)
            throws IOException, InterruptedException {
        Map<String, ProgramRow> curves = new LinkedHashMap<>();
        ProgramRow cpu = tenBlocks(bench, "cpu", digest);
        curves.put(ONE_CORE, cpu.with("threads", 1));
        curves.put("all cores", cpu);
        ProgramRow device = tenBlocks(bench, bench.backend(), digest);
        String name = bench.gpu() ? "GPU" : "CPU as a device";
        for (var step : steps(bench).entrySet()) {
            ProgramRow row = step.getValue().equals(NOTHING_OFF) ? device : device.with("switches", step.getValue());
            curves.put(name + step.getKey(), bench.gpu() ? row.with("devices", 1) : row);
        }
        for (int devices = 2; bench.gpu() && devices <= bench.devices(); devices *= 2) {
            curves.put(devices + " GPUs", device.with("devices", devices));
        }
        var sweep =
                new SettingSweep(id, title, "buffer", blocks(), BLOCK, new Axis("x one core", Scale.LINEAR), curves);
        SettingSweep.Result result = sweep.measure(bench);
        sweep.report(
                bench.report(),
                result,
                row -> row.rate() / result.at(ONE_CORE, (long) row.number("bufferBytes"), Row::rate),
                List.of());
    }

    private static Map<String, String> steps(Bench bench) {
        Map<String, String> steps = new LinkedHashMap<>();
        steps.put(" alone", ALONE);
        steps.put(" + buffer reuse", WITH_REUSE);
        if (bench.gpu()) {
            steps.put(" + overlap", NOTHING_OFF);
        }
        return steps;
    }
}
