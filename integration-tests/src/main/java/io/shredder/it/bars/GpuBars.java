// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bars;

import io.shredder.it.bench.BenchInputs;
import io.shredder.it.bench.BenchInputs.Input;
import io.shredder.it.bench.JvmRates;
import io.shredder.it.figures.Bar;
import io.shredder.it.figures.Machine;
import io.shredder.it.figures.Row;
import io.shredder.it.programs.NativePrograms;
import io.shredder.it.programs.NativePrograms.Output;
import io.shredder.it.programs.ProgramRow;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What needs GPUs: kernels on data in device memory, the whole way from host memory, files, several devices. */
final class GpuBars {
    private static final String SCAN = "GPU: scan of resident data";
    private static final String DIGEST = "GPU: SHA-256 of 8 KiB chunks, resident";
    private static final String WHOLE = "GPU: scan + select + SHA-256, resident";
    private static final String END_TO_END = "GPU: pinned memory to cuts and SHA-256, C++";
    private static final String JAVA = "GPU: the same from Java";
    private static final String FILES = "GPU: the same from files in the page cache";
    private static final String SEVERAL = "GPUs: ";
    private static final String HOST = "GPU: host cores busy at full rate";
    private static final String CORES = "GPU against this machine's cores";
    private static final String FAILURE = "GPU: a device fails mid-stream";
    private static final String MEMORY = "GPU: memory of a stream";
    static final List<String> NAMES = List.of(
            SCAN,
            DIGEST,
            WHOLE,
            END_TO_END,
            JAVA,
            FILES,
            SEVERAL + "2",
            SEVERAL + "4",
            SEVERAL + "8",
            HOST,
            CORES,
            FAILURE,
            MEMORY);

    private static final double AVERAGE = 8 << 10;
    private static final long FILE_BYTES = 8L << 30;
    private static final String STREAM_BYTES = "32G";

    private final Measuring measuring;
    private final NativePrograms programs;

    GpuBars(Measuring measuring) {
        this.measuring = measuring;
        this.programs = measuring.programs();
    }

    void measure() throws InterruptedException {
        measuring.attempt(SCAN, this::kernels);
        measuring.attempt(END_TO_END, this::link);
        var streams = new StreamBars(measuring);
        streams.failure(FAILURE, "cuda");
        streams.memory(MEMORY, "cuda");
    }

    /** Everything that is held against the link. */
    private void link() throws IOException, InterruptedException {
        double link = link(1);
        Row pinned = endToEnd(link);
        measuring.attempt(JAVA, () -> java(link));
        measuring.attempt(FILES, () -> files(link));
        for (int devices : new int[] {2, 4, 8}) {
            measuring.attempt(SEVERAL + devices, () -> several(devices, pinned.rate()));
        }
        measuring.record(Bar.atMost(HOST, pinned.number("coresBusy"), 2, " cores"));
        measuring.attempt(CORES, () -> cores(pinned));
    }

    private void kernels() throws IOException, InterruptedException {
        Output output = programs.run("kernels", Map.of(), "shredder_kernels", List.of());
        kernel(SCAN, output, "scan", 2000);
        kernel(DIGEST, output, "sha256", 600);
        kernel(WHOLE, output, "scan_select_sha256", 400);
    }

    /** The best of the rows of that name: there are several forms and polynomials of a scan. */
    private void kernel(String bar, Output output, String name, double needed) throws IOException {
        double rate = output.rows().stream()
                .filter(row -> row.name().equals(name) && row.error().isEmpty())
                .filter(row -> row.number("average") == 0 || row.number("average") == AVERAGE)
                .mapToDouble(Row::rate)
                .max()
                .orElseThrow(
                        () -> new IOException("shredder_kernels gave no " + name + ": see target/bars/kernels.log"));
        double read = output.row("read").map(Row::rate).orElse(Double.NaN);
        measuring.record(
                Bar.atLeast(bar, rate, needed, " GB/s", String.format(Locale.ROOT, "memory read %.0f GB/s", read)));
    }

    /** What so many devices get from pinned memory at once. */
    private double link(int devices) throws IOException, InterruptedException {
        return programs.run("link", Map.of(), "shredder_transfer", List.of()).rows().stream()
                .filter(row -> row.name().equals("h2d") && row.number("devices") == devices)
                .findFirst()
                .orElseThrow(() -> new IOException("shredder_transfer gave no rate of " + devices + " devices"))
                .rate();
    }

    private static ProgramRow stream(int devices) {
        return ProgramRow.named("stream")
                .with("backend", "cuda")
                .with("devices", devices)
                .with("streams", devices)
                .with("bytes", STREAM_BYTES)
                .with("repeat", 5);
    }

    private Row endToEnd(double link) throws IOException, InterruptedException {
        Row row = StreamBars.required(programs.rates("pinned", List.of(stream(1))), "stream");
        measuring.record(Bar.atLeastTimes(END_TO_END, row.rate() / link, 0.97, ofLink(row.rate(), link)));
        return row;
    }

    private void java(double link) throws IOException, InterruptedException {
        double rate = JvmRates.run(programs, "java", "cuda", 16L << 30).rate();
        measuring.record(Bar.atLeastTimes(JAVA, rate / link, 0.95, ofLink(rate, link)));
    }

    private static String ofLink(double rate, double link) {
        return String.format(Locale.ROOT, "the link, %.1f : %.1f GB/s", rate, link);
    }

    private void files(double link) throws IOException, InterruptedException {
        var inputs = new BenchInputs(measuring.root().resolve("target/bench/inputs"), FILE_BYTES, measuring.children());
        Input input = inputs.random();
        if (input.file().isEmpty()) {
            measuring.record(Bar.notRun(FILES, input.missing()));
            return;
        }
        ProgramRow row = stream(1)
                .with("source", "file")
                .with("path", input.file().get())
                .with("bytes", FILE_BYTES);
        double rate = StreamBars.required(programs.rates("files", List.of(row)), "stream")
                .rate();
        measuring.record(Bar.atLeast(FILES, rate, 30, " GB/s", String.format(Locale.ROOT, "the link %.1f GB/s", link)));
    }

    /** Against as many times one device; the link of all of them together is what limits them. */
    private void several(int devices, double one) throws IOException, InterruptedException {
        String bar = SEVERAL + devices;
        int there = Machine.gpus().size();
        if (there < devices) {
            measuring.record(Bar.notRun(bar, "GPUs here: " + there));
            return;
        }
        double rate = StreamBars.required(programs.rates("devices", List.of(stream(devices))), "stream")
                .rate();
        double together = link(devices);
        measuring.record(Bar.atLeastTimes(
                bar,
                rate / one,
                0.9 * Math.min(devices, together / one),
                String.format(Locale.ROOT, "one, %.1f GB/s; their links together %.1f", rate, together)));
    }

    private void cores(Row gpu) throws IOException, InterruptedException {
        int cores = Runtime.getRuntime().availableProcessors();
        var rows = new ArrayList<ProgramRow>();
        for (String digest : List.of("none", "sha256")) {
            for (String backend : List.of("cpu", "cuda")) {
                rows.add(ProgramRow.named(backend + " " + digest)
                        .with("backend", backend)
                        .with("digest", digest)
                        .with("devices", 1)
                        .with("bytes", "16G"));
            }
        }
        Output output = programs.rates("cores", rows);
        measuring.record(Bar.reported(
                CORES + ", scan + SHA-256",
                String.format(
                        Locale.ROOT,
                        "%.2f x %d cores, %.1f : %.1f GB/s",
                        gpu.rate() / StreamBars.required(output, "cpu sha256").rate(),
                        cores,
                        gpu.rate(),
                        StreamBars.required(output, "cpu sha256").rate())));
        double scanCpu = StreamBars.required(output, "cpu none").rate();
        double scanGpu = StreamBars.required(output, "cuda none").rate();
        measuring.record(Bar.reported(
                CORES + ", scan",
                String.format(
                        Locale.ROOT, "%.2f x %d cores, %.1f : %.1f GB/s", scanGpu / scanCpu, cores, scanGpu, scanCpu)));
    }
}
