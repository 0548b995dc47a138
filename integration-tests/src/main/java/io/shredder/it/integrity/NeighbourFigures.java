// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.integrity;

import io.shredder.it.corpus.Folders;
import io.shredder.it.figures.Chart;
import io.shredder.it.figures.Chart.Axis;
import io.shredder.it.figures.Chart.Curve;
import io.shredder.it.figures.Chart.Point;
import io.shredder.it.figures.Chart.Scale;
import io.shredder.it.figures.Medians;
import io.shredder.it.figures.Report;
import io.shredder.it.figures.Row;
import io.shredder.it.figures.Table;
import io.shredder.it.integrity.Measurements.Setting;
import io.shredder.it.process.Child;
import io.shredder.it.process.Condition;
import io.shredder.it.scale.HeldLink;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.ToDoubleFunction;

/**
 * Figures 12 to 17: how client and neighbour slow each other down on the same cores. A neighbour works before the
 * client begins, beside it, and when it has ended; the client also writes without one. Blocks are cut by content.
 */
final class NeighbourFigures {
    private static final Cutting CUTTING = new Cutting(true, IntegrityLab.USUAL_BLOCK_BYTES);
    private static final long MOST_STORED_BYTES = 2L << 30;
    private static final Duration START = Duration.ofSeconds(1);
    private static final Duration GRACE = Duration.ofSeconds(10);
    private static final int FILES = 4;

    private final IntegrityLab lab;
    private final IntegrityPlan plan;
    private final Report report;
    private final Path disk;
    private final List<Variant> variants;

    /** @param disk folder of what waits for a disk; must be on one */
    NeighbourFigures(IntegrityLab lab, IntegrityPlan plan, Report report, Path disk) {
        this.lab = lab;
        this.plan = plan;
        this.report = report;
        this.disk = disk;
        // One thread of the CPU by itself is not one of these figures.
        this.variants = lab.variants(plan.gpu()).stream()
                .filter(variant -> variant != Variant.CPU_1)
                .toList();
    }

    /**
     * A variant beside a neighbour, once.
     *
     * @param alone MB/s of the client without one
     * @param beside MB/s with it
     * @param slowed by how much the neighbour's work took longer, in percent
     * @param cpuSeconds of the client for 10^9 bytes beside the neighbour
     */
    private record Meeting(Variant variant, double alone, double beside, double slowed, double cpuSeconds) {
        /** Each figure's median. */
        static Meeting median(List<Meeting> rounds) {
            return new Meeting(
                    rounds.get(0).variant,
                    median(rounds, Meeting::alone),
                    median(rounds, Meeting::beside),
                    median(rounds, Meeting::slowed),
                    median(rounds, Meeting::cpuSeconds));
        }

        private static double median(List<Meeting> rounds, ToDoubleFunction<Meeting> figure) {
            return Medians.of(rounds.stream().map(figure::applyAsDouble).toList());
        }

        List<String> cells() {
            return List.of(
                    variant.title(),
                    Table.cell(alone),
                    Table.cell(beside),
                    String.format(Locale.ROOT, "%.0f %%", 100 * (1 - beside / alone)),
                    String.format(Locale.ROOT, "%.0f %%", slowed),
                    Table.cell(cpuSeconds));
        }
    }

    /** What the client does in one round. */
    private record Trial(Setting setting, int round, List<WriteJob.Cell> cells, Optional<HeldLink> link) {}

    /** Measures all at one link: in each round the client alone, then beside each neighbour. */
    void measure(LinkRate rate, Optional<HeldLink> link) throws IOException, InterruptedException {
        for (Workload workload : Workload.values()) {
            var setting = new Setting(
                    rate,
                    workload,
                    workload == Workload.CHECKPOINT
                            ? plan.amounts().imageBytes()
                            : plan.amounts().largest());
            var meetings = new EnumMap<Neighbour, List<Meeting>>(Neighbour.class);
            Path folder = lab.work().resolve("beside");
            try {
                List<WriteJob.Cell> cells = cells(workload, files(folder, setting));
                // Untimed: memory that a virtual machine gives for the first time is slow, whoever gets it.
                lab.run(cells, plan.digest(), link);
                for (int round = 0; round < plan.amounts().rounds(); round++) {
                    long startNs = System.nanoTime();
                    var trial = new Trial(setting, round, cells, link);
                    List<Row> alone = run(trial, "");
                    for (Neighbour neighbour : Neighbour.values()) {
                        meetings.computeIfAbsent(neighbour, any -> new ArrayList<>())
                                .addAll(meetings(neighbour, trial, alone));
                    }
                    System.out.printf(
                            Locale.ROOT,
                            "round %d of %d, %s, beside neighbours: %.0f s%n",
                            round + 1,
                            plan.amounts().rounds(),
                            setting.title(),
                            (System.nanoTime() - startNs) / 1e9);
                }
            } finally {
                Folders.delete(folder);
            }
            meetings.forEach((neighbour, all) -> add(neighbour, rate, workload, medians(all)));
        }
    }

    private List<Meeting> medians(List<Meeting> all) {
        return variants.stream()
                .map(variant -> Meeting.median(all.stream()
                        .filter(meeting -> meeting.variant() == variant)
                        .toList()))
                .toList();
    }

    private List<String> files(Path folder, Setting setting) throws IOException {
        long bytes = setting.fileBytes();
        Files.createDirectories(folder);
        return switch (setting.workload()) {
            case SIMILAR ->
                Collections.nCopies(
                        FILES + 1, lab.file("beside/0", plan.seed(), bytes).toString());
            case CHECKPOINT ->
                CheckpointFigures.images(
                        folder,
                        plan.seed(),
                        plan.amounts().images(),
                        plan.amounts().imageBytes());
            case DIFFERENT -> {
                List<String> files = new ArrayList<>();
                for (int i = 0; i < FILES; i++) {
                    files.add(lab.file("beside/" + i, plan.seed() + i, bytes).toString());
                }
                yield files;
            }
        };
    }

    private List<WriteJob.Cell> cells(Workload workload, List<String> files) {
        return variants.stream()
                .map(variant -> new WriteJob.Cell(
                        workload.word() + ", " + variant.word(),
                        variant,
                        variant.isAddressed() ? CUTTING : new Cutting(false, IntegrityLab.USUAL_BLOCK_BYTES),
                        files,
                        workload.primed(),
                        1,
                        plan.amounts().neighbourSeconds(),
                        MOST_STORED_BYTES))
                .toList();
    }

    /** Runs the client once, and keeps its rows, one for each variant in order. */
    private List<Row> run(Trial trial, String beside) throws IOException, InterruptedException {
        List<Row> rows = lab.run(trial.cells(), plan.digest(), trial.link());
        IntegrityLab.requireSameStored(rows);
        new Measurements().add(trial.setting(), trial.round(), rows);
        report.keep("figures 12 to 17" + beside, rows);
        return rows;
    }

    private List<Meeting> meetings(Neighbour neighbour, Trial trial, List<Row> alone)
            throws IOException, InterruptedException {
        Path log = lab.work().resolve("neighbour.work");
        Child running = start(neighbour, log);
        List<WorkLog.Window> undisturbed = new ArrayList<>();
        List<Row> beside;
        try {
            Thread.sleep(START.toMillis());
            undisturbed.add(windowOfNow());
            beside = run(trial, ", beside " + neighbour.title() + " neighbour");
            undisturbed.add(windowOfNow());
            long endMs = System.currentTimeMillis();
            Condition.await("the neighbour's news", GRACE, List.of(running), () -> WorkLog.read(log)
                    .reaches(endMs));
        } finally {
            running.stop(GRACE);
            Folders.delete(disk);
        }
        WorkLog work = WorkLog.read(log);
        double alonePerSecond = work.rate(undisturbed);
        List<Meeting> meetings = new ArrayList<>();
        for (int i = 0; i < variants.size(); i++) {
            Row row = beside.get(i);
            double besidePerSecond = work.rate(WorkLog.windows(row.json().path("windows")));
            meetings.add(new Meeting(
                    variants.get(i),
                    Measurements.rate(alone.get(i)),
                    Measurements.rate(row),
                    100 * (alonePerSecond / besidePerSecond - 1),
                    row.number("clientCpuSeconds") * 1e9 / row.number("bytes")));
        }
        return meetings;
    }

    private WorkLog.Window windowOfNow() throws InterruptedException {
        long startMs = System.currentTimeMillis();
        Thread.sleep((long) (1000 * plan.amounts().neighbourSeconds()));
        return new WorkLog.Window(startMs, System.currentTimeMillis());
    }

    private Child start(Neighbour neighbour, Path log) throws IOException, InterruptedException {
        Files.deleteIfExists(log);
        String threads = String.valueOf(lab.clientCores().count());
        Path output = lab.work().resolve("neighbour.log");
        return switch (neighbour) {
            case COMPUTES -> lab.neighbour(PrimeSearch.class, List.of(threads, log.toString()), output);
            case WAITS ->
                lab.neighbour(
                        FileChurn.class,
                        List.of(threads, Files.createDirectories(disk).toString(), log.toString()),
                        output);
        };
    }

    private void add(Neighbour neighbour, LinkRate rate, Workload workload, List<Meeting> meetings) {
        int figure = workload.figure(neighbour);
        String what = String.format(
                Locale.ROOT,
                "Figure %d: %s files beside %s neighbour, %s",
                figure,
                workload.word(),
                neighbour.title(),
                rate.title());
        report.add(new Table(
                what,
                List.of(
                        "",
                        "MB/s alone",
                        "MB/s beside it",
                        "the store loses",
                        "the neighbour is slowed down by",
                        "client's CPU s a GB"),
                meetings.stream().map(Meeting::cells).toList()));
        report.add(new Chart(
                "figure-" + figure,
                what,
                new Axis("MB/s beside it", Scale.LINEAR),
                new Axis("the neighbour is slowed down by, percent", Scale.LINEAR),
                meetings.stream()
                        .map(meeting -> new Curve(
                                meeting.variant().title(),
                                List.of(new Point(meeting.beside(), Math.max(0, meeting.slowed())))))
                        .toList()));
    }
}
