// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bars;

import io.shredder.it.bars.Measuring.Outcome;
import io.shredder.it.demo.DemoMain;
import io.shredder.it.demo.DemoReport;
import io.shredder.it.figures.Bar;
import io.shredder.it.figures.Checkout;
import io.shredder.it.house.NotedSeconds;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** The whole product, thin but real: the demo's figures, the tests' time, equal backends, the checks. */
final class FoundationBars implements BarSet {
    private static final double TEST_SECONDS_ALLOWED = 30 * 60.0;
    private static final List<String> INPUTS = List.of("random", "text", "image", "zero");
    private static final String INPUT_MIB = "1024";

    @Override
    public void measure(Measuring measuring) throws IOException, InterruptedException {
        demo(measuring);
        tests(measuring);
        goldenVectors(measuring);
        backends(measuring);
        checks(measuring);
    }

    /** The demo's own bars, from its report if this very commit wrote it. */
    private static void demo(Measuring measuring) throws IOException, InterruptedException {
        Optional<DemoReport> report = currentReport(measuring.root());
        if (report.isEmpty()) {
            Outcome outcome = measuring.run("demo", "./run", "demo");
            report = currentReport(measuring.root());
            if (report.isEmpty()) {
                measuring.record(Bar.holds("demo", false, outcome.lastLine(), "a report"));
                return;
            }
        }
        report.get().bars().forEach(measuring::record);
    }

    private static Optional<DemoReport> currentReport(Path root) throws IOException {
        Path file = root.resolve(DemoMain.REPORT);
        if (!Files.exists(file)) {
            return Optional.empty();
        }
        String commit = Checkout.commit(root);
        return Optional.of(DemoReport.read(file))
                .filter(report -> report.commit().equals(commit));
    }

    /** {@code ./run test} leaves its commit and seconds behind when it passes. */
    private static void tests(Measuring measuring) throws IOException, InterruptedException {
        String name = "./run test, all of it";
        Optional<Double> seconds = NotedSeconds.of(measuring.root(), "test");
        if (seconds.isEmpty()) {
            Outcome outcome = measuring.run("test", "./run", "test");
            seconds = NotedSeconds.of(measuring.root(), "test");
            if (!outcome.succeeded() || seconds.isEmpty()) {
                measuring.record(Bar.holds(name, false, outcome.lastLine(), "passes"));
                return;
            }
        }
        measuring.record(Bar.atMost(name, seconds.get(), TEST_SECONDS_ALLOWED, " s"));
    }

    private static void goldenVectors(Measuring measuring) throws IOException, InterruptedException {
        Outcome outcome = measuring.run(
                "golden-vectors", measuring.nativeBuild() + "/tests/shredder_tests", "--gtest_filter=*olden*");
        long ran = outcome.text()
                .lines()
                .filter(line -> line.contains("[       OK ]"))
                .count();
        measuring.record(Bar.holds(
                "golden vectors, every CPU backend",
                outcome.succeeded() && ran > 0,
                outcome.succeeded() ? ran + " tests passed" : outcome.lastLine(),
                "identical"));
    }

    /** Every backend against the scalar reference: same cuts, same digests, at several buffer sizes. */
    private static void backends(Measuring measuring) throws IOException, InterruptedException {
        Outcome outcome = measuring.run(
                "backends",
                measuring.nativeBuild() + "/shredder_check",
                INPUT_MIB,
                INPUTS.get(0),
                INPUTS.get(1),
                INPUTS.get(2),
                INPUTS.get(3));
        for (String input : INPUTS) {
            measuring.record(backends("scalar = vector, 1 GiB of " + input, outcome, input, false));
        }
        for (String input : INPUTS) {
            String name = "scalar = CUDA, 1 GiB of " + input;
            measuring.record(
                    measuring.gpu() ? backends(name, outcome, input, true) : Bar.notRun(name, "needs a GPU: --gpu"));
        }
    }

    private static Bar backends(String name, Outcome outcome, String input, boolean cuda) {
        List<String> runs = outcome.text()
                .lines()
                .filter(line -> line.startsWith(input + " ") && line.contains(" cuda ") == cuda)
                .toList();
        long identical = runs.stream().filter(run -> run.endsWith("identical")).count();
        return Bar.holds(
                name,
                outcome.succeeded() && !runs.isEmpty() && identical == runs.size(),
                identical + " of " + runs.size() + " runs identical",
                "all");
    }

    private static void checks(Measuring measuring) throws IOException, InterruptedException {
        Outcome outcome = measuring.run("check", "tools/check.sh");
        boolean edges = outcome.text().lines().anyMatch(line -> line.startsWith("ok") && line.contains("architecture"));
        measuring.record(Bar.holds("architecture tests", edges, edges ? "passed" : "failed", "passed"));
        measuring.record(Bar.holds("tools/check.sh", outcome.succeeded(), outcome.lastLine(), "0 failed"));
    }
}
