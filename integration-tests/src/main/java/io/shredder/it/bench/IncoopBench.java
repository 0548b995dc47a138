// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bench;

import io.shredder.it.figures.Chart;
import io.shredder.it.figures.Chart.Axis;
import io.shredder.it.figures.Chart.Curve;
import io.shredder.it.figures.Chart.Point;
import io.shredder.it.figures.Chart.Scale;
import io.shredder.it.figures.Report;
import io.shredder.it.figures.Table;
import io.shredder.it.incoop.Comparison;
import io.shredder.it.incoop.JobKind;
import io.shredder.it.incoop.JobKind.Data;
import io.shredder.it.incoop.JobLab;
import io.shredder.it.incoop.JobLab.Uploaded;
import io.shredder.it.incoop.Outcome;
import io.shredder.it.incoop.Version;
import io.shredder.it.incoop.Version.Style;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/**
 * Figure 15 of Shredder (FAST 2012) and the figures of Incoop (SoCC 2011) that it rests on. Each job runs
 * on the first version of its input, which fills the memo store, then on versions of which a part has changed; every
 * time plainly, too.
 */
final class IncoopBench {
    /**
     * What to measure.
     *
     * @param textBytes size of the text
     * @param pointsBytes size of the points
     * @param changes parts of it, in hundredths
     * @param places blocks that each change is spread over
     */
    record Plan(
            long textBytes, long pointsBytes, List<JobKind> jobs, List<Double> changes, List<Style> edits, int places) {
        Plan {
            if (places < 1) {
                throw new IllegalArgumentException("--places is " + places + ": give 1 or more");
            }
            for (double percent : changes) {
                if (!(percent >= 0 && percent <= 25)) {
                    throw new IllegalArgumentException("--changes has " + percent + ": give parts from 0 to 25");
                }
            }
        }

        long bytes(Data data) {
            return data == Data.POINTS ? pointsBytes : textBytes;
        }
    }

    private static final Version FIRST = new Version(0, Style.MIXED, 0);

    private final JobLab lab;
    private final Plan plan;
    private final RunLog log;
    private final Report report;

    IncoopBench(JobLab lab, Plan plan, RunLog log, Report report) {
        this.lab = lab;
        this.plan = plan;
        this.log = log;
        this.report = report;
    }

    /** Measures what the log lacks; returns how many incremental runs gave other part files than plain ones. */
    int measure() throws IOException, InterruptedException {
        for (Data data : Data.values()) {
            List<JobKind> jobs = plan.jobs().stream()
                    .filter(kind -> kind.data() == data && !versionsToRun(kind).isEmpty())
                    .toList();
            if (!jobs.isEmpty()) {
                measure(data, jobs);
            }
        }
        return report();
    }

    private List<Version> versionsToRun(JobKind kind) {
        return versions().stream()
                .filter(version -> log.later(kind, version).isEmpty())
                .toList();
    }

    private List<Version> versions() {
        var versions = new ArrayList<Version>();
        for (double percent : plan.changes()) {
            if (percent == 0) {
                versions.add(FIRST);
            } else {
                plan.edits().forEach(style -> versions.add(new Version(percent, style, plan.places())));
            }
        }
        return versions;
    }

    private void measure(Data data, List<JobKind> jobs) throws IOException, InterruptedException {
        Path first = lab.input(data, plan.bytes(data));
        Uploaded uploaded = upload(first, data, FIRST);
        for (JobKind kind : jobs) {
            Outcome plain = firstRun(kind, uploaded);
            if (versionsToRun(kind).contains(FIRST)) {
                Outcome again = lab.run(kind, uploaded, true);
                keepLater(new Comparison(kind, FIRST, uploaded.bytes(), plain, again));
            }
        }
        for (Version version : versions()) {
            List<JobKind> left = jobs.stream()
                    .filter(kind -> versionsToRun(kind).contains(version))
                    .toList();
            if (!left.isEmpty()) {
                measure(data, left, first, version);
            }
        }
        lab.remove(uploaded);
    }

    /** Fills the memo store; returns the plain run. */
    private Outcome firstRun(JobKind kind, Uploaded uploaded) throws IOException, InterruptedException {
        Optional<Comparison> before = log.first(kind);
        if (before.isPresent()) {
            lab.run(kind, uploaded, true);
            return before.get().plain();
        }
        Comparison run = Comparison.run(lab, kind, FIRST, uploaded);
        log.keepFirst(run, lab.memoBytes(kind));
        print(run);
        return run.plain();
    }

    private void measure(Data data, List<JobKind> jobs, Path first, Version version)
            throws IOException, InterruptedException {
        Path file = lab.scratch("version.txt");
        version.write(first, file, data);
        Uploaded uploaded = upload(file, data, version);
        Files.delete(file);
        for (JobKind kind : jobs) {
            keepLater(Comparison.run(lab, kind, version, uploaded));
        }
        lab.remove(uploaded);
    }

    private Uploaded upload(Path file, Data data, Version version) throws IOException, InterruptedException {
        Uploaded uploaded = lab.upload(file, data.name().toLowerCase(Locale.ROOT) + "-" + version.title());
        System.err.printf(Locale.ROOT, "bench: uploaded %s, %.1f s%n", uploaded.folder(), uploaded.seconds());
        return uploaded;
    }

    private void keepLater(Comparison run) throws IOException {
        log.keepLater(run);
        print(run);
    }

    private static void print(Comparison run) {
        System.err.printf(
                Locale.ROOT,
                "bench: %s, %s %%: %.1f s plain, %.1f s incremental%s%n",
                run.kind().title(),
                run.version().percent(),
                run.plain().seconds(),
                run.incremental().seconds(),
                run.identical() ? "" : ", OTHER PART FILES");
    }

    /** Everything that the log has, of earlier parts too. */
    private int report() {
        List<JobKind> jobs = Stream.of(JobKind.values())
                .filter(kind -> log.first(kind).isPresent())
                .toList();
        reportFirstRuns(jobs);
        for (JobKind kind : jobs) {
            reportLaterRuns(kind);
        }
        for (Style style : plan.edits()) {
            draw(jobs, style, "time", run -> run.incremental().timesFasterThan(run.plain()));
            draw(jobs, style, "work", run -> run.incremental().timesLessWorkThan(run.plain()));
        }
        if (jobs.contains(JobKind.KMEANS)) {
            report.note(
                    "kmeans is timed with all of its iterations: once a point has changed, the centroids of the second"
                            + " iteration are others, and no map of it or of a later one is reused");
        }
        if (jobs.contains(JobKind.KMEANS_BOUNDS)) {
            report.note(
                    "kmeans-bounds is kmeans with the bounds of earlier iterations and runs, on Hadoop alone, against"
                            + " kmeans without; memo space is that of the bounds");
        }
        report.keep("runs", log.rows());
        List<Comparison> runs = log.all();
        int failed = (int) runs.stream().filter(run -> !run.identical()).count();
        report.note(runs.size() + " incremental runs, " + failed
                + " with other part files than the plain run of the same input");
        return failed;
    }

    private void reportFirstRuns(List<JobKind> jobs) {
        var rows = new ArrayList<List<String>>();
        for (JobKind kind : jobs) {
            Comparison run = log.first(kind).orElseThrow();
            rows.add(List.of(
                    kind.title(),
                    Table.cell(run.plain().seconds()),
                    Table.cell(run.incremental().seconds()),
                    percent(100 * (run.incremental().seconds() / run.plain().seconds() - 1)),
                    percent(100 * (1 / run.incremental().timesLessWorkThan(run.plain()) - 1)),
                    Long.toString(log.memoBytes(kind) / 1_000_000),
                    percent(100.0 * log.memoBytes(kind) / run.inputBytes()),
                    identical(run)));
        }
        report.add(new Table(
                "The first run, which fills the memo store",
                List.of(
                        "job",
                        "plain, s",
                        "incremental, s",
                        "more time",
                        "more work",
                        "memo, MB",
                        "memo of input",
                        "part files"),
                rows));
    }

    private void reportLaterRuns(JobKind kind) {
        report.add(new Table(
                kind.title() + ": runs after a change",
                List.of(
                        "changed",
                        "edit",
                        "plain, s",
                        "incremental, s",
                        "time, x",
                        "plain, CPU s",
                        "incremental, CPU s",
                        "work, x",
                        "map tasks",
                        "maps read",
                        "part files"),
                log.later(kind).stream().map(IncoopBench::cells).toList()));
    }

    private static List<String> cells(Comparison run) {
        Outcome plain = run.plain();
        Outcome incremental = run.incremental();
        return List.of(
                percent(run.version().percent()),
                run.version().percent() == 0 ? "none" : run.version().style().title(),
                Table.cell(plain.seconds()),
                Table.cell(incremental.seconds()),
                Table.cell(incremental.timesFasterThan(plain)),
                Table.cell(plain.work().cpuSeconds()),
                Table.cell(incremental.work().cpuSeconds()),
                Table.cell(incremental.timesLessWorkThan(plain)),
                Long.toString(incremental.work().mapTasks()),
                percent(run.percentRead()),
                identical(run));
    }

    private void draw(List<JobKind> jobs, Style style, String what, ToDoubleFunction<Comparison> figure) {
        var curves = new ArrayList<Curve>();
        for (JobKind kind : jobs) {
            curves.add(new Curve(
                    kind.title(),
                    log.later(kind).stream()
                            .filter(run -> run.version().percent() == 0
                                    || run.version().style() == style)
                            .map(run -> new Point(run.version().percent(), figure.applyAsDouble(run)))
                            .toList()));
        }
        report.add(new Chart(
                what + "-" + style.title(),
                "Shredder, figure 15: " + what + " against plain Hadoop, edits: " + style.title(),
                new Axis("part of the input changed, %", Scale.LINEAR),
                new Axis("speed-up in " + what + ", x", Scale.LINEAR),
                curves));
    }

    private static String identical(Comparison run) {
        return run.identical() ? "identical" : "OTHER";
    }

    private static String percent(double value) {
        return String.format(Locale.ROOT, "%.1f %%", value);
    }
}
