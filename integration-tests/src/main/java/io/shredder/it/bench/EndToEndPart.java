// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bench;

import io.shredder.it.figures.Chart.Axis;
import io.shredder.it.figures.Chart.Curve;
import io.shredder.it.figures.Chart.Scale;
import io.shredder.it.figures.Report;
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

/** The whole engine, from bytes in memory to records in memory: every backend, sizes of buffers, streams, devices. */
final class EndToEndPart implements Bench.Part {
    private static final List<String> CPU_BACKENDS = List.of("scalar", "avx2", "avx512");
    private static final int MOST_STREAMS = 8;
    private static final long FILE_BYTES = 8L << 30;
    private static final long SMALL_FILE_BYTES = 512L << 20;

    private final BenchInputs inputs;

    EndToEndPart(BenchInputs inputs) {
        this.inputs = inputs;
    }

    @Override
    public void measure(Bench bench) throws IOException, InterruptedException {
        backends(bench);
        files(bench);
        buffers(bench);
        streams(bench);
        if (bench.gpu()) {
            devices(bench);
        }
    }

    private static void backends(Bench bench) throws IOException, InterruptedException {
        var backends = new ArrayList<>(CPU_BACKENDS.subList(0, CPU_BACKENDS.indexOf(bench.bestCpuBackend()) + 1));
        if (bench.gpu()) {
            backends.add("cuda");
        }
        var rows = new ArrayList<ProgramRow>();
        List<Integer> averages = bench.quick() ? List.of(8 << 10) : List.of(8 << 10, 64 << 10, 1 << 20);
        String best = bench.bestCpuBackend();
        for (String backend : backends) {
            boolean compared = !backend.equals("cuda") && !backend.equals(best);
            for (int average : averages) {
                for (String digest : compared ? List.of("none", "sha256") : List.of("none", "sha256", "blake3")) {
                    for (String source : compared ? List.of("ring") : List.of("ring", "copy")) {
                        rows.add(bench.row(String.join(" ", backend, "" + average, digest, source), backend)
                                .with("average", average)
                                .with("digest", digest)
                                .with("source", source));
                    }
                }
            }
        }
        Output output = bench.rates("backends", rows);
        bench.report()
                .add(new Table(
                        "One stream, end to end; ring: the bytes lie in the ring's buffers already, copy: one thread"
                                + " copies them there",
                        List.of("backend", "average", "digest", "bytes from", "GB/s", "x the link", "cores busy"),
                        output.rows().stream()
                                .filter(row -> row.error().isEmpty())
                                .map(row -> cells(bench, row))
                                .toList()));
    }

    private static List<String> cells(Bench bench, Row row) {
        boolean cuda = row.text("backend").equals("cuda");
        return List.of(
                row.text("backend"),
                ((int) row.number("average") >> 10) + " KiB",
                row.text("digest"),
                row.text("source"),
                Table.cell(row.rate()),
                cuda ? Table.cell(row.rate() / bench.linkRate().orElse(Double.NaN)) : "-",
                Table.cell(row.number("coresBusy")));
    }

    /** By the engine's own reader, from the page cache. */
    private void files(Bench bench) throws IOException, InterruptedException {
        BenchInputs input = inputs.ofBytes(bench.gpu() && !bench.quick() ? FILE_BYTES : SMALL_FILE_BYTES);
        BenchInputs.Input file = input.random();
        if (file.file().isEmpty()) {
            bench.report().note(Report.NOT_HERE + "files: " + file.missing());
            return;
        }
        Map<String, ProgramRow> curves = new LinkedHashMap<>();
        for (String digest : List.of("none", "sha256")) {
            curves.put(
                    digest.equals("none") ? "scan + cuts" : "with SHA-256",
                    bench.row("", bench.backend())
                            .with("digest", digest)
                            .with("source", "file")
                            .with("path", file.file().get())
                            .with("bytes", input.bytes()));
        }
        sweep(
                bench,
                new SettingSweep(
                        "files",
                        "A file in the page cache, read by the engine, on " + bench.backend(),
                        "readers",
                        LongStream.of(1, 2, 4, 8, 16)
                                .filter(threads -> threads <= Math.max(2, bench.cores()))
                                .boxed()
                                .toList(),
                        new Axis("threads that read", Scale.LINEAR),
                        new Axis("GB/s", Scale.LINEAR),
                        curves));
    }

    /** The same from Java; a part of its own, since it needs the library of the classes it runs with. */
    static void java(Bench bench) throws IOException, InterruptedException {
        Row row = JvmRates.run(bench.programs(), "java", bench.backend(), bench.gpu() ? 16L << 30 : 2L << 30);
        bench.report().keep("java", List.of(row));
        bench.report()
                .add(new Table(
                        "One stream from Java, end to end, SHA-256 of 8 KiB chunks, bytes in the ring",
                        List.of("backend", "GB/s", "x the link"),
                        List.of(List.of(
                                row.text("backend"),
                                Table.cell(row.rate()),
                                Table.cell(row.rate() / bench.linkRate().orElse(Double.NaN))))));
    }

    private static void buffers(Bench bench) throws IOException, InterruptedException {
        Map<String, ProgramRow> curves = new LinkedHashMap<>();
        curves.put("scan + cuts", bench.row("", bench.backend()).with("digest", "none"));
        curves.put("with SHA-256", bench.row("", bench.backend()).with("digest", "sha256"));
        sweep(
                bench,
                new SettingSweep(
                        "buffers",
                        "Size of the ring's buffers, one stream on " + bench.backend(),
                        "buffer",
                        LongStream.rangeClosed(0, bench.quick() ? 6 : 8)
                                .map(power -> 1L << (20 + power))
                                .boxed()
                                .toList(),
                        new Axis("buffer", Scale.BYTES),
                        new Axis("GB/s", Scale.LINEAR),
                        curves));
    }

    private static void streams(Bench bench) throws IOException, InterruptedException {
        Map<String, ProgramRow> curves = new LinkedHashMap<>();
        for (String source : List.of("ring", "copy")) {
            curves.put("with SHA-256, " + source, bench.row("", bench.backend()).with("source", source));
        }
        sweep(
                bench,
                new SettingSweep(
                        "streams",
                        "Streams at once on " + bench.backend(),
                        "streams",
                        LongStream.of(1, 2, 4, MOST_STREAMS).boxed().toList(),
                        new Axis("streams", Scale.LINEAR),
                        new Axis("GB/s", Scale.LINEAR),
                        curves));
    }

    /** One device up to all of them, as the survey of the machine counts them. */
    private static void devices(Bench bench) throws IOException, InterruptedException {
        int most = bench.devices();
        if (most < 2) {
            bench.report().note(Report.NOT_HERE + "several GPUs: this machine has one");
            return;
        }
        Map<String, ProgramRow> curves = new LinkedHashMap<>();
        for (String digest : List.of("none", "sha256")) {
            curves.put(
                    digest.equals("none") ? "scan + cuts" : "with SHA-256",
                    bench.row("", "cuda").with("digest", digest).with("streams", most));
        }
        sweep(
                bench,
                new SettingSweep(
                        "devices",
                        "GPUs, as many streams as there are GPUs",
                        "devices",
                        LongStream.rangeClosed(1, most).boxed().toList(),
                        new Axis("GPUs", Scale.LINEAR),
                        new Axis("GB/s", Scale.LINEAR),
                        curves));
    }

    private static void sweep(Bench bench, SettingSweep sweep) throws IOException, InterruptedException {
        var limit = new ArrayList<Curve>();
        bench.linkRate().ifPresent(rate -> limit.add(sweep.level("the link to one device", rate)));
        sweep.report(bench.report(), sweep.measure(bench), Row::rate, limit);
    }
}
