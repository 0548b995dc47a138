// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bars;

import io.shredder.it.exact.ExactReport;
import io.shredder.it.exact.ExactRun;
import io.shredder.it.exact.Pair;
import io.shredder.it.exact.Pair.Outcome;
import io.shredder.it.figures.Bar;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Whether any job's incremental result differs from the plain one, and how many jobs of others are incremental. */
final class ExactBars implements BarSet {
    private static final long PAIRS = 2000;
    private static final double INCREMENTAL_PERCENT = 80;
    private static final String BIG_TABLE = "big-table-in-static";

    @Override
    public void measure(Measuring measuring) throws IOException, InterruptedException {
        if (measuring.exact().searches()) {
            measuring.attempt("plain and incremental runs of the same", () -> search(measuring));
        }
        if (measuring.exact().timesSettingUp()) {
            measuring.attempt("what setting up costs", () -> new SetUpBars(measuring).measure());
        }
        if (measuring.exact().timesPlainJobs()) {
            measuring.attempt("plain jobs over uploads", () -> new PlainJobBars(measuring).measure());
        }
    }

    private static void search(Measuring measuring) throws IOException, InterruptedException {
        Path bars = Files.createDirectories(measuring.root().resolve("target").resolve("bars"));
        Path module = measuring.root().resolve("integration-tests").resolve("target");
        var run = new ExactRun(module, bars.resolve("exact"), measuring.children(), ExactBars::tell);
        long startNs = System.nanoTime();
        List<Pair> pairs = run.play(measuring.exact().plan());
        var report = new ExactReport(pairs);
        Files.writeString(bars.resolve("exact.md"), report.markdown());
        System.out.println(report.markdown());
        record(measuring, report, pairs);
        run.broken().forEach(System.out::println);
        measuring.record(Bar.atMost(
                "workers that did not come to their end", run.broken().size(), 0, ""));
        measuring.record(Bar.reported("time", (System.nanoTime() - startNs) / 1_000_000_000 + " s"));
    }

    private static void tell(Pair pair) {
        if (pair.outcome().isBad() || pair.outcome() == Outcome.NOT_COMPARABLE) {
            System.out.println(ExactReport.line(pair));
        }
    }

    private static void record(Measuring measuring, ExactReport report, List<Pair> pairs) {
        none(measuring, report, "silent differences", Outcome.SILENT_DIFFERENCE);
        none(measuring, report, "pairs that fail only incrementally", Outcome.FAILS_ONLY_INCREMENTALLY);
        none(measuring, report, "plain runs that do not say why", Outcome.PLAIN_WITHOUT_REASON);
        none(measuring, report, "pairs whose plain runs differ", Outcome.NOT_COMPARABLE);
        thirdParties(measuring, report);
        bigTable(measuring, report.of(BIG_TABLE));
        long bothFail = pairs.stream()
                .filter(pair -> pair.outcome() == Outcome.BOTH_FAILED && !ExactReport.mustFail(pair.job()))
                .count();
        measuring.record(Bar.atMost("pairs that fail both ways unasked", (double) bothFail, 0, ""));
        if (measuring.exact().isWhole()) {
            measuring.record(Bar.atLeast("pairs compared", pairs.size(), PAIRS, ""));
        } else {
            measuring.record(Bar.reported("pairs compared", String.valueOf(pairs.size())));
        }
    }

    private static void none(Measuring measuring, ExactReport report, String name, Outcome outcome) {
        measuring.record(Bar.atMost(name, (double) report.count(outcome), 0, ""));
    }

    private static void thirdParties(Measuring measuring, ExactReport report) {
        List<String> jobs = report.servedJobsOfOthers();
        List<String> plain =
                jobs.stream().filter(job -> !report.isIncremental(job)).toList();
        if (!jobs.isEmpty()) {
            measuring.record(Bar.atLeast(
                    "jobs of others that are incremental",
                    100.0 * (jobs.size() - plain.size()) / jobs.size(),
                    INCREMENTAL_PERCENT,
                    " %",
                    plain.isEmpty() ? "all of " + jobs.size() : "not: " + String.join(", ", plain)));
        }
    }

    private static void bigTable(Measuring measuring, List<Pair> pairs) {
        if (pairs.isEmpty()) {
            return;
        }
        boolean right = pairs.stream().noneMatch(pair -> pair.outcome().isBad());
        boolean reused = pairs.stream()
                .anyMatch(pair -> pair.step().equals("again") && pair.reused() > 0 && pair.computed() == 0);
        measuring.record(Bar.holds(
                "10 MB table in a static",
                right && reused,
                (reused ? "reused unchanged" : "not reused unchanged")
                        + (right ? ", right changed" : ", WRONG changed"),
                "reused, right"));
    }
}
