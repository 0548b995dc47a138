// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.integrity;

import io.shredder.it.corpus.CheckpointImage;
import io.shredder.it.corpus.Folders;
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

/** Figure 11: a process's images by the size of blocks, and how much of each image is found again. */
final class CheckpointFigures {
    private static final double LEAST_FIXED = 0.21;
    private static final double MOST_FIXED = 0.23;
    private static final double LEAST_BY_CONTENT = 0.76;
    private static final double MOST_BY_CONTENT = 0.90;
    /** An edit costs a block or two, which must be little beside the image. */
    private static final int LEAST_BLOCKS = 64;

    private final IntegrityLab lab;
    private final IntegrityPlan plan;
    private final Report report;
    private final List<Variant> variants;
    private final Measurements measurements = new Measurements();

    CheckpointFigures(IntegrityLab lab, IntegrityPlan plan, Report report) {
        this.lab = lab;
        this.plan = plan;
        this.report = report;
        this.variants = lab.variants(plan.gpu());
    }

    /** Writes a series of images into a folder. */
    static List<String> images(Path folder, long seed, int count, long bytes) throws IOException {
        Files.createDirectories(folder);
        List<String> files = new ArrayList<>();
        CheckpointImage image = CheckpointImage.first(seed, bytes);
        for (int i = 0; i < count; i++) {
            Path file = folder.resolve("image-" + i);
            image.write(file);
            files.add(file.toString());
            image = image.next();
        }
        return files;
    }

    /**
     * What part of all images but the first was in the store.
     *
     * @param firstBytes length of the first
     */
    static double similarity(Row row, long firstBytes) {
        return 1 - (row.number("sentBytes") - firstBytes) / (row.number("passBytes") - firstBytes);
    }

    /**
     * Whether the paper's band holds for images of a length, where they are long enough for it.
     *
     * @throws IOException if it should and doesn't
     */
    static void requireBand(Cutting cutting, long imageBytes, double similarity) throws IOException {
        boolean longEnough = imageBytes % CheckpointImage.UNIT_BYTES == 0
                && imageBytes / cutting.blockBytes() >= (cutting.byContent() ? LEAST_BLOCKS : 1);
        double least = cutting.byContent() ? LEAST_BY_CONTENT : LEAST_FIXED;
        double most = cutting.byContent() ? MOST_BY_CONTENT : MOST_FIXED;
        if (longEnough && (similarity < least || similarity > most)) {
            throw new IOException(String.format(
                    Locale.ROOT,
                    "blocks %s find %.1f %% of an image again, the paper's %.0f to %.0f %%: give another --seed",
                    cutting.title(),
                    100 * similarity,
                    100 * least,
                    100 * most));
        }
    }

    /** Measures all at one link, and adds a table and a chart to the report. */
    void measure(LinkRate rate, Optional<HeldLink> link) throws IOException, InterruptedException {
        var setting = new Setting(rate, Workload.CHECKPOINT, plan.amounts().imageBytes());
        Path folder = lab.work().resolve("images");
        try {
            List<String> files = images(
                    folder, plan.seed(), plan.amounts().images(), plan.amounts().imageBytes());
            for (int round = 0; round < plan.amounts().rounds(); round++) {
                long startNs = System.nanoTime();
                for (Cutting cutting : cuttings()) {
                    List<Row> rows = lab.run(cells(setting, cutting, files, round), plan.digest(), link);
                    check(cutting, rows);
                    measurements.add(setting, round, rows);
                    report.keep("figure 11", rows);
                }
                System.out.printf(
                        Locale.ROOT,
                        "round %d of %d, %s: %.0f s%n",
                        round + 1,
                        plan.amounts().rounds(),
                        setting.title(),
                        (System.nanoTime() - startNs) / 1e9);
            }
        } finally {
            Folders.delete(folder);
        }
        add(setting);
    }

    private List<Cutting> cuttings() {
        List<Cutting> cuttings = new ArrayList<>();
        for (boolean byContent : new boolean[] {false, true}) {
            plan.amounts().imageBlocks().forEach(bytes -> cuttings.add(new Cutting(byContent, bytes)));
        }
        return cuttings;
    }

    private List<WriteJob.Cell> cells(Setting setting, Cutting cutting, List<String> files, int round) {
        List<Variant> order = new ArrayList<>(variants);
        Collections.rotate(order, round);
        return order.stream()
                .filter(variant -> variant.isAddressed() || !cutting.byContent())
                .map(variant -> new WriteJob.Cell(
                        setting.title() + ", " + cutting.title() + ", " + variant.word(),
                        variant,
                        cutting,
                        files,
                        setting.workload().primed(),
                        1,
                        0,
                        Long.MAX_VALUE))
                .toList();
    }

    private void check(Cutting cutting, List<Row> rows) throws IOException {
        IntegrityLab.requireSameStored(rows);
        for (Row row : rows) {
            if (row.json().has("sent")) {
                requireBand(
                        cutting,
                        plan.amounts().imageBytes(),
                        similarity(row, plan.amounts().imageBytes()));
            }
        }
    }

    private void add(Setting setting) {
        var columns = new ArrayList<>(List.of("blocks"));
        cuttings().forEach(cutting -> columns.add(cutting.title()));
        List<List<String>> lines = new ArrayList<>();
        List<Curve> curves = new ArrayList<>();
        for (Variant variant : variants) {
            var line = new ArrayList<>(List.of(variant.title()));
            for (Cutting cutting : cuttings()) {
                List<Row> rounds = measurements.of(setting, variant, cutting);
                line.add(rounds.isEmpty() ? "" : Measurements.cell(rounds));
            }
            lines.add(line);
            curves.add(curve(setting, variant, false));
            curves.add(curve(setting, variant, true));
        }
        var found = new ArrayList<>(List.of("found again"));
        for (Cutting cutting : cuttings()) {
            Row oracle = measurements.of(setting, Variant.ORACLE, cutting).get(0);
            found.add(String.format(Locale.ROOT, "%.1f %%", 100 * similarity(oracle, setting.fileBytes())));
        }
        lines.add(found);
        String what = "Figure 11: checkpoints of " + (setting.fileBytes() >> 20) + " MiB, "
                + setting.link().title();
        report.add(new Table(what + ": MB/s (CPU seconds a GB: client, store)", columns, lines));
        report.add(new Chart(
                "figure-11-" + setting.link().word(),
                what,
                new Axis("size of a block", Scale.BYTES),
                new Axis("MB/s", Scale.LINEAR),
                curves));
    }

    private Curve curve(Setting setting, Variant variant, boolean byContent) {
        List<Point> points = new ArrayList<>();
        for (int bytes : plan.amounts().imageBlocks()) {
            List<Row> rounds = measurements.of(setting, variant, new Cutting(byContent, bytes));
            if (!rounds.isEmpty()) {
                points.add(new Point(bytes, Measurements.median(rounds, Measurements::rate)));
            }
        }
        return new Curve(variant.title() + (byContent ? ", by content" : ", fixed"), points);
    }
}
