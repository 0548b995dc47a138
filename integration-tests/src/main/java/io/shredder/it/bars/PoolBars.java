// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bars;

import static io.shredder.it.bars.StreamBars.required;

import io.shredder.it.figures.Bar;
import io.shredder.it.figures.Row;
import io.shredder.it.pools.PoolRows;
import io.shredder.it.programs.NativePrograms.Output;
import io.shredder.it.programs.ProgramRow;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Many devices in one engine, streams that share them, and policies on many nodes. */
final class PoolBars implements BarSet {
    private static final String IDENTICAL = "identical chunks: mixes, policies, losses";
    private static final String SHARES = "8 streams of weights 1 to 8";
    private static final String WORKER = "a slow core with a worker";
    private static final int MOMENTS = 1_000;
    private static final int STREAMS = 8;
    private static final double SHARE_ERROR = 0.1;
    private static final double MOST_WAIT_S = 0.2;
    private static final double LEAST_SERVED_PERCENT = 99;
    private static final List<Integer> COUNTS_OF_NODES = List.of(7, 700);
    private static final List<String> POLICIES =
            List.of("round-robin", "shortest-queue", "lafs", "least-work", "two-choices");

    /** Processes that keep the GPU busy beside; few enough that the driver gives each its turn. */
    private static final List<Integer> LOADS = List.of(4, 8);

    private static final double LEAST_TIMES_STATIC = 2;

    /** Cores of a worker, where there are so many. */
    private static final int MOST_LENT = 8;

    private static final double LEAST_TIMES_ALONE = 3;
    private static final String LENT_BYTES = "2G";

    private static final String ENGINE = "engine";
    private static final String NODES = "nodes";

    /** What {@code --only} takes. */
    static final List<String> PARTS = List.of(ENGINE, NODES, ScanBars.SHARING, ScanBars.FILE);

    @Override
    public void measure(Measuring measuring) throws IOException, InterruptedException {
        if (measuring.has(ENGINE)) {
            engine(measuring);
        }
        if (measuring.has(NODES)) {
            nodes(measuring);
        }
        if (measuring.has(ScanBars.SHARING) || measuring.has(ScanBars.FILE)) {
            new ScanBars().measure(measuring);
        }
    }

    private static void engine(Measuring measuring) throws InterruptedException {
        measuring.attempt(IDENTICAL, () -> identical(measuring));
        measuring.attempt(SHARES, () -> shares(measuring, "cpu"));
        if (measuring.gpu()) {
            measuring.attempt("GPU and CPU together", () -> mixed(measuring));
            measuring.attempt("a GPU that others use", () -> loaded(measuring));
            measuring.attempt(SHARES + ", GPU and CPU", () -> shares(measuring, "cuda,cpu"));
        } else {
            measuring.record(Bar.notRun("GPU and CPU together", "needs a GPU: --gpu"));
            measuring.record(Bar.notRun("a GPU that others use", "needs a GPU: --gpu"));
        }
        measuring.attempt(WORKER, () -> lent(measuring));
    }

    private static void nodes(Measuring measuring) throws InterruptedException {
        for (int nodes : COUNTS_OF_NODES) {
            for (String policy : List.of("two-choices", "least-work")) {
                measuring.attempt(policy + " on " + nodes, () -> simulated(measuring, PoolRows.of(policy, nodes)));
            }
            measuring.attempt("lafs on " + nodes, () -> lafs(measuring, nodes));
        }
    }

    /** The tests of pools, with a device that is lost at so many moments. */
    private static void identical(Measuring measuring) throws IOException, InterruptedException {
        Output output = measuring
                .programs()
                .run(
                        "pools-identical",
                        Map.of("SHREDDER_TEST_MOMENTS", "" + MOMENTS),
                        "tests/shredder_tests",
                        List.of("--gtest_filter=DevicePoolTest.*:RemoteWorkerTest.*:DeviceContract*"));
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
        Output output = measuring.programs().ratesInterleaved("pool-rates", rows("32G"));
        Row cuda = required(output, "cuda");
        Row cpu = required(output, "cpu");
        Row better = cuda.rate() >= cpu.rate() ? cuda : cpu;
        String alone = alone("the better alone", cuda, cpu);
        for (String policy : POLICIES) {
            double times = required(output, policy).timesFasterThan(better);
            String name = "GPU and CPU together, " + policy;
            if (policy.equals("round-robin")) {
                measuring.record(Bar.reported(name, String.format(Locale.ROOT, "%.2f x %s", times, alone)));
            } else {
                measuring.record(Bar.atLeastTimes(name, times, policy.equals("least-work") ? 1 : 0.97, alone));
            }
        }
    }

    /** The same while other processes keep the GPU busy, beside a static division. */
    private static void loaded(Measuring measuring) throws IOException, InterruptedException {
        for (int load : LOADS) {
            Output output = measuring.programs().ratesUnderLoad("pool-rates-" + load, load, rows("8G"));
            Row divided = required(output, "round-robin");
            String beside = alone("a static division", required(output, "cuda"), required(output, "cpu"));
            for (String policy : POLICIES.subList(1, POLICIES.size())) {
                double times = required(output, policy).timesFasterThan(divided);
                String name = load + " processes use the GPU, too: " + policy;
                if (policy.equals("least-work") && load == LOADS.get(LOADS.size() - 1)) {
                    measuring.record(Bar.atLeastTimes(name, times, LEAST_TIMES_STATIC, beside));
                } else {
                    measuring.record(Bar.reported(name, String.format(Locale.ROOT, "%.2f x %s", times, beside)));
                }
            }
        }
    }

    /** One core without AVX2 and SHA instructions, alone and with a worker of others; the same of one core with all. */
    private static void lent(Measuring measuring) throws IOException, InterruptedException {
        int lent = Math.min(MOST_LENT, Runtime.getRuntime().availableProcessors() - 1);
        if (lent < 1) {
            measuring.record(Bar.notRun(WORKER, "needs two cores"));
            return;
        }
        Path socket = Files.createTempDirectory("shredder-bars").resolve("worker");
        List<ProgramRow> rows = new ArrayList<>();
        for (String core : List.of("scalar", "cpu")) {
            rows.add(row(core, LENT_BYTES).with("pool", core + "*1"));
            rows.add(row(core + "+worker", LENT_BYTES)
                    .with("pool", core + "*1+worker:" + socket)
                    .with("scheduling", "least-work"));
        }
        rows.add(row("worker", LENT_BYTES).with("pool", "worker:" + socket));
        Output output = measuring.programs().ratesBesideWorker("pool-worker", socket, "cpu*" + lent, rows);
        Row alone = required(output, "scalar");
        double times = required(output, "scalar+worker").timesFasterThan(alone);
        String beside = String.format(Locale.ROOT, "alone (%.2f GB/s), %d cores lent", alone.rate(), lent);
        measuring.record(
                lent < MOST_LENT
                        ? Bar.reported(WORKER, String.format(Locale.ROOT, "%.2f x %s", times, beside))
                        : Bar.atLeastTimes(WORKER, times, LEAST_TIMES_ALONE, beside));
        Row fast = required(output, "cpu");
        measuring.record(Bar.reported(
                "a core with all instructions and a worker",
                String.format(
                        Locale.ROOT,
                        "%.2f x alone (%.2f GB/s); the worker alone %.2f GB/s",
                        required(output, "cpu+worker").timesFasterThan(fast),
                        fast.rate(),
                        required(output, "worker").rate())));
    }

    private static String alone(String what, Row cuda, Row cpu) {
        return String.format(
                Locale.ROOT, "%s (alone the GPU has %.1f GB/s, the CPU %.1f)", what, cuda.rate(), cpu.rate());
    }

    private static List<ProgramRow> rows(String bytes) {
        List<ProgramRow> rows = new ArrayList<>();
        for (String backend : List.of("cuda", "cpu")) {
            rows.add(row(backend, bytes).with("backend", backend));
        }
        for (String policy : POLICIES) {
            rows.add(row(policy, bytes).with("pool", "cuda+cpu").with("scheduling", policy));
        }
        return rows;
    }

    private static ProgramRow row(String name, String bytes) {
        return ProgramRow.named(name)
                .with("digest", "sha256")
                .with("bytes", bytes)
                .with("repeat", 5);
    }
}
