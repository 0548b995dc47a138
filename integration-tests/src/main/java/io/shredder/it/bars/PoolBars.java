// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bars;

import static io.shredder.it.bars.StreamBars.required;

import io.shredder.it.figures.Bar;
import io.shredder.it.figures.Row;
import io.shredder.it.pools.PoolRows;
import io.shredder.it.programs.NativePrograms.Output;
import io.shredder.it.programs.ProgramRow;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Many devices in one engine, streams that share them, and policies on many nodes. */
final class PoolBars implements BarSet {
    private static final String IDENTICAL = "identical chunks: mixes, policies, losses";
    private static final String SHARES = "8 streams of weights 1 to 8";
    private static final int MOMENTS = 1_000;
    private static final int STREAMS = 8;
    private static final double SHARE_ERROR = 0.1;
    private static final double MOST_WAIT_S = 0.2;
    private static final double LEAST_SERVED_PERCENT = 99;
    private static final List<Integer> NODES = List.of(7, 700);

    @Override
    public void measure(Measuring measuring) throws IOException, InterruptedException {
        measuring.attempt(IDENTICAL, () -> identical(measuring));
        measuring.attempt(SHARES, () -> shares(measuring, "cpu"));
        for (int nodes : NODES) {
            for (String policy : List.of("two-choices", "least-work")) {
                measuring.attempt(policy + " on " + nodes, () -> simulated(measuring, PoolRows.of(policy, nodes)));
            }
            measuring.attempt("lafs on " + nodes, () -> lafs(measuring, nodes));
        }
        if (measuring.gpu()) {
            measuring.attempt("GPU and CPU together", () -> mixed(measuring));
            measuring.attempt(SHARES + ", GPU and CPU", () -> shares(measuring, "cuda,cpu"));
        } else {
            measuring.record(Bar.notRun("GPU and CPU together", "needs a GPU: --gpu"));
        }
        new ScanBars().measure(measuring);
    }

    /** The tests of pools, with a device that is lost at so many moments. */
    private static void identical(Measuring measuring) throws IOException, InterruptedException {
        Output output = measuring
                .programs()
                .run(
                        "pools-identical",
                        Map.of("SHREDDER_TEST_MOMENTS", "" + MOMENTS),
                        "tests/shredder_tests",
                        List.of("--gtest_filter=DevicePoolTest.*"));
        boolean passed = output.otherLines().stream().noneMatch(line -> line.contains("FAILED"))
                && output.otherLines().stream().anyMatch(line -> line.contains("PASSED"));
        measuring.record(Bar.holds(
                IDENTICAL,
                passed,
                passed ? "all, devices lost at " + MOMENTS + " moments" : "see target/bars/pools-identical.log",
                "all"));
    }

    private static void shares(Measuring measuring, String pool) throws IOException, InterruptedException {
        Output output =
                measuring.programs().run("shares", Map.of(), "shredder_shares", List.of("" + STREAMS, "4", pool));
        double worst = 0;
        double rate = 0;
        for (Row row : output.rows()) {
            worst = Math.max(worst, Math.abs(row.number("ofShare") - 1));
            rate += row.number("rate");
        }
        boolean all = output.rows().size() == STREAMS;
        measuring.record(Bar.holds(
                pool.equals("cpu") ? SHARES : SHARES + ", GPU and CPU",
                all && worst <= SHARE_ERROR,
                String.format(Locale.ROOT, "shares right to %.1f %%, %.1f GB/s together", 100 * worst, rate),
                String.format(Locale.ROOT, "to %.0f %%", 100 * SHARE_ERROR)));
    }

    private static void simulated(Measuring measuring, ProgramRow row) throws IOException, InterruptedException {
        Row made = simulate(measuring, row);
        double served = 100 * made.number("served");
        measuring.record(Bar.holds(
                row.name() + " nodes, 80 % load",
                served >= LEAST_SERVED_PERCENT && made.number("waitP99") <= MOST_WAIT_S,
                servedAndWait(made),
                "99 %, 0.2 s"));
    }

    private static void lafs(Measuring measuring, int nodes) throws IOException, InterruptedException {
        Row made = simulate(measuring, PoolRows.of("lafs", nodes));
        measuring.record(Bar.reported("LAFS as printed on " + nodes + " nodes", servedAndWait(made)));
    }

    private static Row simulate(Measuring measuring, ProgramRow row) throws IOException, InterruptedException {
        return required(measuring.programs().run("pools", Map.of(), "shredder_pools", List.of(row.word())), row.name());
    }

    private static String servedAndWait(Row row) {
        return String.format(
                Locale.ROOT,
                "%.1f %% served, 99 %% wait %.2f s at most",
                100 * row.number("served"),
                row.number("waitP99"));
    }

    /** Scan and SHA-256 from memory that both reach: beside the better of the two alone. */
    private static void mixed(Measuring measuring) throws IOException, InterruptedException {
        ProgramRow row = ProgramRow.named("cuda")
                .with("backend", "cuda")
                .with("bytes", "32G")
                .with("repeat", 5);
        List<ProgramRow> rows = new ArrayList<>(List.of(
                row,
                ProgramRow.named("cpu")
                        .with("backend", "cpu")
                        .with("bytes", "32G")
                        .with("repeat", 5)));
        List<String> policies = List.of("round-robin", "shortest-queue", "lafs", "least-work", "two-choices");
        for (String policy : policies) {
            rows.add(ProgramRow.named(policy)
                    .with("pool", "cuda+cpu")
                    .with("scheduling", policy)
                    .with("bytes", "32G")
                    .with("repeat", 5));
        }
        Output output = measuring.programs().ratesInterleaved("pool-rates", rows);
        Row cuda = required(output, "cuda");
        Row cpu = required(output, "cpu");
        Row better = cuda.rate() >= cpu.rate() ? cuda : cpu;
        String alone =
                String.format(Locale.ROOT, "the better alone (GPU %.1f, CPU %.1f GB/s)", cuda.rate(), cpu.rate());
        for (String policy : policies) {
            double times = required(output, policy).timesFasterThan(better);
            String name = "GPU and CPU together, " + policy;
            if (policy.equals("round-robin")) {
                measuring.record(Bar.reported(name, String.format(Locale.ROOT, "%.2f x %s", times, alone)));
            } else {
                measuring.record(Bar.atLeastTimes(name, times, policy.equals("least-work") ? 1 : 0.97, alone));
            }
        }
    }
}
