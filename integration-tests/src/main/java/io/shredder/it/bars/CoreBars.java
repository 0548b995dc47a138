// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bars;

import io.shredder.it.bench.BenchInputs;
import io.shredder.it.bench.BenchInputs.Input;
import io.shredder.it.bench.Peers;
import io.shredder.it.figures.Bar;
import io.shredder.it.figures.Medians;
import io.shredder.it.figures.Row;
import io.shredder.it.programs.NativePrograms.Output;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** What one core does, by its thread's CPU time, against the linear read and the peers of the same run. */
final class CoreBars {
    private static final String AGAINST_FASTCDC = "one core: scan + cuts, against Rust fastcdc";
    private static final String SHORT_STREAM = "one core: open, cut 32 KiB of memory, close";
    private static final String LINEAR_READ = "linear-read";
    private static final String AVX512_SCAN = "scan-avx512";
    private static final String ANY_SCAN = "scan-avx512-any-polynomial";
    private static final String AVX2_SCAN = "scan-avx2";
    private static final String CUTS = "cuts";
    private static final String CUTS_SHA256 = "cuts-sha256";
    private static final String OPENSSL = "openssl-sha256";
    private static final String FLOOD = "cuts-flood";
    private static final String SHORT_CUTS = "cuts-of-32KiB";
    private static final double SHORT_KILOBYTES = 32.768;
    private static final String FASTCDC = "rust-fastcdc-v2020";
    private static final long BYTES = 1L << 30;
    private static final long AVERAGE = 8 << 10;
    /** Our program and the peer's take turns so many times. */
    private static final int TURNS = 5;

    private final Measuring measuring;

    CoreBars(Measuring measuring) {
        this.measuring = measuring;
    }

    void measure() throws InterruptedException {
        measuring.attempt("one core: scans", this::scans);
        measuring.attempt("one core: digests", this::digests);
        measuring.attempt(SHORT_STREAM, this::shortStream);
        measuring.attempt(AGAINST_FASTCDC, this::fastcdc);
    }

    /** Few contenders, so that what is compared runs close together in time. */
    private void scans() throws IOException, InterruptedException {
        Output core = core("core-scans", 15, LINEAR_READ, AVX512_SCAN, CUTS, FLOOD, ANY_SCAN, AVX2_SCAN);
        Row read = core.row(LINEAR_READ).orElseThrow(() -> new IOException("no linear read: see core-scans.log"));
        against(core, "one core: scan, default P, AVX-512", AVX512_SCAN, read, 1.0);
        selection(core);
        flood(core);
        against(core, "one core: scan, any P, AVX-512", ANY_SCAN, read, 0.7);
        against(core, "one core: scan, default P, AVX2", AVX2_SCAN, read, hasAvx512(core) ? 0.5 : 0.7);
    }

    private void digests() throws IOException, InterruptedException {
        Output core = core("core-digests", 7, CUTS_SHA256, OPENSSL, AVX512_SCAN);
        if (hasAvx512(core)) {
            againstOpenssl(core, "one core: scan + cuts + SHA-256, AVX-512", 1.7);
        }
        List<String> without = List.of("--without", "avx512,gfni");
        Output narrow = core("core-digests-avx2", 7, without, CUTS_SHA256, OPENSSL);
        againstOpenssl(narrow, "one core: scan + cuts + SHA-256, AVX2 and SHA instructions", 1.4);
    }

    private void againstOpenssl(Output core, String bar, double needed) {
        Optional<Row> openssl = core.row(OPENSSL);
        if (openssl.isPresent()) {
            against(core, bar, CUTS_SHA256, openssl.get(), needed);
        } else {
            measuring.record(Bar.notRun(bar, String.join("; ", core.otherLines())));
        }
    }

    private void shortStream() throws IOException, InterruptedException {
        Row cuts = core("core-short", 5, SHORT_CUTS)
                .row(SHORT_CUTS)
                .orElseThrow(() -> new IOException("no " + SHORT_CUTS + ": see core-short.log"));
        measuring.record(Bar.atMost(SHORT_STREAM, SHORT_KILOBYTES / cuts.rate(), 15, " us"));
    }

    private static boolean hasAvx512(Output core) {
        return core.row(AVX512_SCAN).isPresent();
    }

    private Output core(String log, int rounds, String... contenders) throws IOException, InterruptedException {
        return core(log, rounds, List.of(), contenders);
    }

    private Output core(String log, int rounds, List<String> more, String... contenders)
            throws IOException, InterruptedException {
        var words = new ArrayList<>(List.of("--rounds", "" + rounds, "--only", String.join(",", contenders)));
        words.addAll(more);
        return measuring.programs().run(log, Map.of(), "shredder_core_rates", words);
    }

    private void against(Output output, String bar, String name, Row limit, double needed) {
        measuring.record(output.row(name)
                .map(row -> Bar.atLeastTimes(bar, row.timesFasterThan(limit), needed, beside(limit.name(), row, limit)))
                .orElseGet(() -> Bar.notRun(bar, "this CPU can't run " + name)));
    }

    private static String beside(String what, Row mine, Row theirs) {
        return String.format(Locale.ROOT, "%s, %.2f : %.2f GB/s", what, mine.rate(), theirs.rate());
    }

    private void selection(Output core) {
        String bar = "one core: cost of min/max selection";
        Optional<Row> cuts = core.row(CUTS);
        Optional<Row> scan = core.row(AVX512_SCAN);
        if (cuts.isPresent() && scan.isPresent()) {
            measuring.record(Bar.atMost(bar, 100 * (scan.get().timesFasterThan(cuts.get()) - 1), 3, " %"));
        } else {
            measuring.record(Bar.notRun(bar, "this CPU can't run " + AVX512_SCAN));
        }
    }

    /** Every byte a candidate: what somebody would send who wants to be slow. */
    private void flood(Output core) throws IOException {
        Row cuts = core.row(CUTS).orElseThrow(() -> new IOException("no cuts: see core-scans.log"));
        Row flood = core.row(FLOOD).orElseThrow(() -> new IOException("no flood: see core-scans.log"));
        measuring.record(Bar.atMost("one core: a flood of candidates", cuts.timesFasterThan(flood), 2, " x the time"));
    }

    /** Our program and the peer's in turn, a round each. */
    private void fastcdc() throws IOException, InterruptedException {
        Path bench = measuring.root().resolve("target").resolve("bench");
        Peers peers = Peers.in(bench.resolve("peers"), measuring.root(), measuring.programs(), measuring.children());
        Input input = new BenchInputs(bench.resolve("inputs"), BYTES, measuring.children()).random();
        if (input.file().isEmpty()) {
            measuring.record(Bar.notRun(AGAINST_FASTCDC, input.missing()));
            return;
        }
        var ratios = new ArrayList<Double>();
        Optional<Row> ours = Optional.empty();
        Optional<Row> theirs = Optional.empty();
        for (int turn = 0; turn < TURNS; turn++) {
            ours = measuring
                    .programs()
                    .run(
                            "core-turn",
                            Map.of(),
                            "shredder_core_rates",
                            turnWords(input.file().get()))
                    .row(CUTS);
            theirs = fastcdcRow(peers, input.file().get());
            if (ours.isEmpty() || theirs.isEmpty()) {
                measuring.record(Bar.notRun(AGAINST_FASTCDC, String.join("; ", peers.missing())));
                return;
            }
            ratios.add(ours.get().rate() / theirs.get().rate());
        }
        measuring.record(Bar.atLeastTimes(
                AGAINST_FASTCDC,
                Medians.of(ratios),
                5,
                beside("fastcdc v2020", ours.orElseThrow(), theirs.orElseThrow())));
    }

    private static List<String> turnWords(Path file) {
        return List.of("--rounds", "3", "--only", CUTS, "--bytes", "" + BYTES, file.toString());
    }

    private static Optional<Row> fastcdcRow(Peers peers, Path file) throws IOException, InterruptedException {
        Stream<Row> rows =
                peers.run(Peers.RUST, file, BYTES, new Peers.Sizes(AVERAGE, AVERAGE / 4, 4 * AVERAGE), 1).stream();
        return rows.filter(row -> row.name().equals(FASTCDC)).findFirst();
    }
}
