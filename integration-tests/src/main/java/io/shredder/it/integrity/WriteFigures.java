// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.integrity;

import io.shredder.it.corpus.Folders;
import io.shredder.it.figures.AxisTicks;
import io.shredder.it.figures.Chart;
import io.shredder.it.figures.Chart.Axis;
import io.shredder.it.figures.Chart.Curve;
import io.shredder.it.figures.Chart.Point;
import io.shredder.it.figures.Chart.Scale;
import io.shredder.it.figures.Report;
import io.shredder.it.figures.Row;
import io.shredder.it.figures.Table;
import io.shredder.it.integrity.Measurements.Setting;
import io.shredder.it.scale.HeldLink;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** Figures 7 to 10: throughput by the size of files, which are all different, or the same again and again. */
final class WriteFigures {
    private static final Cutting FIXED = new Cutting(false, IntegrityLab.USUAL_BLOCK_BYTES);
    private static final Cutting BY_CONTENT = new Cutting(true, IntegrityLab.USUAL_BLOCK_BYTES);

    private final IntegrityLab lab;
    private final IntegrityPlan plan;
    private final Report report;
    private final List<Variant> variants;
    private final Measurements measurements = new Measurements();

    WriteFigures(IntegrityLab lab, IntegrityPlan plan, Report report) {
        this.lab = lab;
        this.plan = plan;
        this.report = report;
        this.variants = lab.variants(plan.gpu());
    }

    /** Measures all at one link, and adds tables and charts to the report. */
    void measure(LinkRate rate, Optional<HeldLink> link) throws IOException, InterruptedException {
        List<Workload> workloads = List.of(Workload.DIFFERENT, Workload.SIMILAR).stream()
                .filter(plan.workloads()::contains)
                .toList();
        for (int round = 0; round < plan.amounts().rounds(); round++) {
            for (Workload workload : workloads) {
                for (long bytes : plan.amounts().sizes()) {
                    measure(new Setting(rate, workload, bytes), round, link);
                }
            }
        }
        for (Workload workload : workloads) {
            add(rate, workload, FIXED);
            add(rate, workload, BY_CONTENT);
        }
    }

    private void measure(Setting setting, int round, Optional<HeldLink> link) throws IOException, InterruptedException {
        long startNs = System.nanoTime();
        Path folder = Files.createDirectories(lab.work().resolve("files"));
        try {
            List<String> files = files(setting);
            List<Row> rows = lab.run(cells(setting, files, round), plan.digest(), link);
            for (Cutting cutting : List.of(FIXED, BY_CONTENT)) {
                IntegrityLab.requireSameStored(rows.stream()
                        .filter(row -> row.text("cutting").equals(cutting.title()))
                        .toList());
            }
            measurements.add(setting, round, rows);
            report.keep("figures 7 to 10", rows);
        } finally {
            Folders.delete(folder);
        }
        System.out.printf(
                Locale.ROOT,
                "round %d of %d, %s: %.0f s%n",
                round + 1,
                plan.amounts().rounds(),
                setting.title(),
                (System.nanoTime() - startNs) / 1e9);
    }

    private List<String> files(Setting setting) throws IOException {
        int count = plan.amounts().files(setting.fileBytes());
        if (setting.workload() == Workload.SIMILAR) {
            return Collections.nCopies(
                    count + setting.workload().primed(),
                    lab.file("files/0", plan.seed(), setting.fileBytes()).toString());
        }
        List<String> files = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            files.add(
                    lab.file("files/" + i, plan.seed() + i, setting.fileBytes()).toString());
        }
        return files;
    }

    /** Another is first in each round, so that nobody is always measured when the store is new. */
    private List<WriteJob.Cell> cells(Setting setting, List<String> files, int round) {
        List<Variant> order = new ArrayList<>(variants);
        Collections.rotate(order, round);
        List<WriteJob.Cell> cells = new ArrayList<>();
        for (Cutting cutting : List.of(FIXED, BY_CONTENT)) {
            for (Variant variant : order) {
                if (variant.isAddressed() || !cutting.byContent()) {
                    String name = setting.title() + ", " + cutting.title() + ", " + variant.word();
                    cells.add(new WriteJob.Cell(
                            name, variant, cutting, files, setting.workload().primed(), 1, 0, Long.MAX_VALUE));
                }
            }
        }
        return cells;
    }

    /** Who doesn't digest cuts no blocks by content: the same figure stands in both tables, as in the paper. */
    private List<Row> rounds(Setting setting, Variant variant, Cutting cutting) {
        return measurements.of(setting, variant, variant.isAddressed() ? cutting : FIXED);
    }

    private void add(LinkRate rate, Workload workload, Cutting cutting) {
        int figure = workload.figure() + (cutting.byContent() ? 1 : 0);
        var columns = new ArrayList<>(List.of("files of"));
        var ticks = AxisTicks.of(Scale.BYTES, 1, 2);
        plan.amounts().sizes().forEach(bytes -> columns.add(ticks.label(bytes)));
        List<List<String>> lines = new ArrayList<>();
        List<Curve> curves = new ArrayList<>();
        for (Variant variant : variants) {
            var line = new ArrayList<>(List.of(variant.title()));
            List<Point> points = new ArrayList<>();
            for (long bytes : plan.amounts().sizes()) {
                List<Row> rounds = rounds(new Setting(rate, workload, bytes), variant, cutting);
                line.add(Measurements.cell(rounds));
                points.add(new Point(bytes, Measurements.median(rounds, Measurements::rate)));
            }
            lines.add(line);
            curves.add(new Curve(variant.title(), points));
        }
        String what = String.format(
                Locale.ROOT,
                "Figure %d: %s files, blocks %s, %s",
                figure,
                workload.word(),
                cutting.title(),
                rate.title());
        report.add(new Table(what + ": MB/s (CPU seconds a GB: client, store)", columns, lines));
        report.add(new Chart(
                String.format(Locale.ROOT, "figure-%02d-%s", figure, rate.word()),
                what,
                new Axis("size of a file", Scale.BYTES),
                new Axis("MB/s", Scale.LINEAR),
                curves));
    }
}
