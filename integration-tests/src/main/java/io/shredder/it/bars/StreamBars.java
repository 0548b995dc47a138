// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bars;

import io.shredder.it.figures.Bar;
import io.shredder.it.figures.Row;
import io.shredder.it.programs.NativePrograms;
import io.shredder.it.programs.NativePrograms.Output;
import io.shredder.it.programs.ProgramRow;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/** One stream on several threads, devices that fail, and memory: what holds on a CPU and on GPUs alike. */
final class StreamBars {
    private static final String TWO_THREADS = "two threads on one stream, with SHA-256";
    private static final String SAME_CHUNKS = "two threads on one stream: chunks";
    private static final int ROUNDS = 9;
    private static final int MOST_THREADS = 16;
    /** The first device fails when it is asked for the candidates of its third buffer. */
    private static final Map<String, String> FAULT = Map.of("SHREDDER_INJECT_FAULT", "0:candidates:3");

    /** Of a stream's memory: what chunks across buffers may take more or less. */
    private static final double CARRIED = 0.005;

    private final Measuring measuring;

    StreamBars(Measuring measuring) {
        this.measuring = measuring;
    }

    void measure() throws IOException, InterruptedException {
        measuring.attempt(TWO_THREADS, this::twoThreads);
        measuring.attempt(SAME_CHUNKS, this::sameChunks);
        measuring.attempt("threads on one stream", this::manyThreads);
        failure("a device fails mid-stream, two CPU devices", "cpu");
        memory("memory of a stream, CPU", "cpu");
    }

    private void twoThreads() throws IOException, InterruptedException {
        if (Runtime.getRuntime().availableProcessors() < 2) {
            measuring.record(Bar.notRun(TWO_THREADS, "one core"));
            return;
        }
        ProgramRow row = ProgramRow.named("one")
                .with("backend", "cpu")
                .with("bytes", "2G")
                .with("repeat", ROUNDS);
        Output output = measuring
                .programs()
                .ratesInterleaved(
                        "two-threads",
                        List.of(row.with("threads", 1), row.with("name", "two").with("threads", 2)));
        Row one = required(output, "one");
        Row two = required(output, "two");
        measuring.record(Bar.atLeastTimes(
                TWO_THREADS,
                two.timesFasterThan(one),
                1.85,
                String.format(Locale.ROOT, "one thread, %.2f : %.2f GB/s", two.rate(), one.rate())));
    }

    private void sameChunks() throws IOException, InterruptedException {
        ProgramRow row = ProgramRow.named("one")
                .with("backend", "cpu")
                .with("bytes", "1G")
                .with("repeat", 1)
                .with("source", "copy");
        Output output = measuring
                .programs()
                .rates(
                        "same-chunks",
                        List.of(
                                row.with("threads", 1),
                                row.with("name", "two").with("threads", 2),
                                row.with("name", "small buffers")
                                        .with("threads", 2)
                                        .with("buffer", "1M")));
        Row one = required(output, "one");
        boolean same =
                output.rows().stream().allMatch(other -> other.text("checksum").equals(one.text("checksum")));
        measuring.record(Bar.holds(
                SAME_CHUNKS, same, same ? "identical, " + one.text("records") + " chunks" : "DIFFERENT", "identical"));
    }

    private void manyThreads() throws IOException, InterruptedException {
        int threads = Math.min(MOST_THREADS, Runtime.getRuntime().availableProcessors());
        NativePrograms programs = measuring.programs();
        Output memory = programs.run("memory", Map.of(), "shredder_memory", List.of("--threads", "" + threads));
        double read = memory.rows().stream()
                .filter(row -> row.name().equals("memory-read") && row.number("threads") == threads)
                .findFirst()
                .orElseThrow(() -> new IOException("no memory read: see target/bars/memory.log"))
                .rate();
        ProgramRow row = ProgramRow.named("scan")
                .with("backend", "cpu")
                .with("threads", threads)
                .with("bytes", threads + "G");
        Output rates = programs.rates("threads", List.of(row.with("digest", "none"), row.with("name", "digests")));
        measuring.record(Bar.reported(
                threads + " threads on one stream",
                String.format(
                        Locale.ROOT,
                        "scan %.1f, with SHA-256 %.1f, memory read %.1f GB/s",
                        required(rates, "scan").rate(),
                        required(rates, "digests").rate(),
                        read)));
    }

    /** The same stream with and without a fault: equal records, and one line of warning. */
    void failure(String bar, String backend) throws InterruptedException {
        measuring.attempt(bar, () -> measureFailure(bar, backend));
    }

    private void measureFailure(String bar, String backend) throws IOException, InterruptedException {
        ProgramRow row = ProgramRow.named("stream")
                .with("backend", backend)
                .with("source", "copy")
                .with("buffer", "8M")
                .with("bytes", "1G")
                .with("repeat", 1);
        ProgramRow devices = backend.equals("cpu") ? row.with("devices", 2) : row;
        Output whole = measuring.programs().rates("failure-none", List.of(devices));
        Output failed = measuring.programs().run("failure", FAULT, "shredder_rates", List.of(devices.word()));
        Optional<Row> survivor = failed.row("stream");
        boolean same = survivor.isPresent()
                && survivor.get()
                        .text("checksum")
                        .equals(required(whole, "stream").text("checksum"));
        boolean once = failed.otherLines().size() == 1
                && survivor.map(r -> r.number("devicesFailed")).orElse(0.0) == 1;
        measuring.record(Bar.holds(
                bar,
                same && once,
                (same ? "identical" : "DIFFERENT") + ", warnings: "
                        + failed.otherLines().size(),
                "identical, warnings: 1"));
    }

    /**
     * Eight times the bytes take no more memory, and all of it is what the options say. Chunks that begin in one buffer
     * and end in another take what the longest of them need, which is not the same twice.
     */
    void memory(String bar, String backend) throws InterruptedException {
        measuring.attempt(bar, () -> measureMemory(bar, backend));
    }

    private void measureMemory(String bar, String backend) throws IOException, InterruptedException {
        ProgramRow row = ProgramRow.named("short")
                .with("backend", backend)
                .with("buffer", "16M")
                .with("depth", 4)
                .with("devices", 1)
                .with("bytes", "512M")
                .with("repeat", 1);
        Output output = measuring
                .programs()
                .rates(
                        "memory-" + backend,
                        List.of(row, row.with("name", "long").with("bytes", "4G")));
        Row once = required(output, "short");
        Row four = required(output, "long");
        boolean equal = Math.abs(four.number("hostBytes") / once.number("hostBytes") - 1) <= CARRIED
                && once.number("pinnedBytes") == four.number("pinnedBytes")
                && once.number("deviceBytes") == four.number("deviceBytes");
        measuring.record(Bar.holds(
                bar,
                equal && four.number("hostBytes") > 0,
                String.format(
                        Locale.ROOT,
                        "peak MiB: host %.0f, pinned %.0f, device %.0f",
                        four.number("hostBytes") / (1 << 20),
                        four.number("pinnedBytes") / (1 << 20),
                        four.number("deviceBytes") / (1 << 20)),
                "as for an 8th of it, to 0.5 %"));
    }

    /** A row that must be there; an error with the engine's own words if it is not. */
    static Row required(Output output, String name) throws IOException {
        return output.row(name)
                .orElseThrow(() -> new IOException("no figure for " + name + ": "
                        + output.rows().stream()
                                .flatMap(row -> row.error().stream())
                                .toList() + output.otherLines()));
    }
}
