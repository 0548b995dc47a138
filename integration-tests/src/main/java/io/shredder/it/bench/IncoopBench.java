// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bench;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shredder.it.bench.Chart.Axis;
import io.shredder.it.bench.Chart.Curve;
import io.shredder.it.bench.Chart.Point;
import io.shredder.it.bench.Chart.Scale;
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
import java.util.function.ToDoubleFunction;

/**
 * START HERE. Figure 15 of Shredder (FAST 2012) and the figures of Incoop (SoCC 2011) that it rests on: each job on the first version of its
 * input, which fills the memo store, then on versions of which a part has changed; every time plainly, too.
 */
final class IncoopBench {
    /**
     * What to measure.
     *
     * @param bytes of each input
     * @param changes parts of it, in hundredths
     * @param places blocks that each change is spread over
     */
    record Plan(long bytes, List<JobKind> jobs, List<Double> changes, List<Style> edits, int places) {
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
    }

    private static final Version FIRST = new Version(0, Style.MIXED, 0);

    private final JobLab lab;
    private final Plan plan;
    private final Report report;
    private final ObjectMapper mapper = new ObjectMapper();
    private final List<Comparison> firstRuns = new ArrayList<>();
    private final List<Long> memoBytes = new ArrayList<>();
    private final List<Comparison> laterRuns = new ArrayList<>();

    IncoopBench(JobLab lab, Plan plan, Report report) {
        this.lab = lab;
        this.plan = plan;
        this.report = report;
    }

    /** Measures everything; returns how many incremental runs gave other part files than the plain ones. */
    int measure() throws IOException, InterruptedException {
        for (Data data : Data.values()) {
            List<JobKind> jobs =
                    plan.jobs().stream().filter(kind -> kind.data() == data).toList();
            if (!jobs.isEmpty()) {
                measure(data, jobs);
            }
        }
        reportFirstRuns();
        for (JobKind kind : plan.jobs()) {
            reportLaterRuns(kind);
        }
        for (Style style : plan.edits()) {
            draw(style, "time", run -> run.incremental().timesFasterThan(run.plain()));
            draw(style, "work", run -> run.incremental().timesLessWorkThan(run.plain()));
        }
        if (plan.jobs().contains(JobKind.KMEANS)) {
            report.note(
                    "kmeans is timed with all of its iterations: once a point has changed, the centroids of the second"
                            + " iteration are others, and no map of it or of a later one is reused");
        }
        if (plan.jobs().contains(JobKind.KMEANS_BOUNDS)) {
            report.note(
                    "kmeans-bounds is kmeans with the bounds of earlier iterations and runs, on Hadoop alone, against"
                            + " kmeans without; memo space is that of the bounds");
        }
        int failed = (int) laterRuns.stream().filter(run -> !run.identical()).count();
        failed += (int) firstRuns.stream().filter(run -> !run.identical()).count();
        report.note((firstRuns.size() + laterRuns.size()) + " incremental runs, " + failed
                + " with other part files than the plain run of the same input");
        return failed;
    }

    private void measure(Data data, List<JobKind> jobs) throws IOException, InterruptedException {
        Path first = lab.input(data, plan.bytes());
        Uploaded uploaded = upload(first, data, FIRST);
        for (JobKind kind : jobs) {
            Comparison run = keep("first-run", Comparison.run(lab, kind, FIRST, uploaded));
            firstRuns.add(run);
            memoBytes.add(lab.memoBytes(kind));
            if (plan.changes().contains(0.0)) {
                Outcome again = lab.run(kind, uploaded, true);
                laterRuns.add(keep("later-run", new Comparison(kind, FIRST, uploaded.bytes(), run.plain(), again)));
            }
        }
        for (double percent : plan.changes()) {
            for (Style style : percent == 0 ? List.<Style>of() : plan.edits()) {
                measure(data, jobs, first, new Version(percent, style, plan.places()));
            }
        }
        lab.remove(uploaded);
    }

    private void measure(Data data, List<JobKind> jobs, Path first, Version version)
            throws IOException, InterruptedException {
        Path file = lab.scratch("version.txt");
        version.write(first, file, data);
        Uploaded uploaded = upload(file, data, version);
        Files.delete(file);
        for (JobKind kind : jobs) {
            laterRuns.add(keep("later-run", Comparison.run(lab, kind, version, uploaded)));
        }
        lab.remove(uploaded);
    }

    private Uploaded upload(Path file, Data data, Version version) throws IOException, InterruptedException {
        Uploaded uploaded = lab.upload(file, data.name().toLowerCase(Locale.ROOT) + "-" + version.title());
        System.err.printf(Locale.ROOT, "bench: uploaded %s, %.1f s%n", uploaded.folder(), uploaded.seconds());
        return uploaded;
    }

    private Comparison keep(String part, Comparison run) {
        ObjectNode row = mapper.createObjectNode()
                .put("name", run.kind().title())
                .put("changedPercent", run.version().percent())
                .put("edit", run.version().style().title())
                .put("places", run.version().places())
                .put("inputBytes", run.inputBytes())
                .put("identical", run.identical());
        row.set("plain", mapper.valueToTree(run.plain()));
        row.set("incremental", mapper.valueToTree(run.incremental()));
        report.keep(part, List.of(new Row(row)));
        System.err.printf(
                Locale.ROOT,
                "bench: %s, %s %%: %.1f s plain, %.1f s incremental%s%n",
                run.kind().title(),
                run.version().percent(),
                run.plain().seconds(),
                run.incremental().seconds(),
                run.identical() ? "" : ", OTHER PART FILES");
        return run;
    }

    private void reportFirstRuns() {
        var rows = new ArrayList<List<String>>();
        for (int i = 0; i < firstRuns.size(); i++) {
            Comparison run = firstRuns.get(i);
            rows.add(List.of(
                    run.kind().title(),
                    Table.cell(run.plain().seconds()),
                    Table.cell(run.incremental().seconds()),
                    percent(100 * (run.incremental().seconds() / run.plain().seconds() - 1)),
                    percent(100 * (1 / run.incremental().timesLessWorkThan(run.plain()) - 1)),
                    Long.toString(memoBytes.get(i) / 1_000_000),
                    percent(100.0 * memoBytes.get(i) / run.inputBytes()),
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
                laterRuns.stream()
                        .filter(run -> run.kind() == kind)
                        .map(IncoopBench::cells)
                        .toList()));
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

    private void draw(Style style, String what, ToDoubleFunction<Comparison> figure) {
        var curves = new ArrayList<Curve>();
        for (JobKind kind : plan.jobs()) {
            curves.add(new Curve(
                    kind.title(),
                    laterRuns.stream()
                            .filter(run -> run.kind() == kind)
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
