// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bars;

import io.shredder.it.backup.Operation;
import io.shredder.it.backup.ShredderContender;
import io.shredder.it.figures.Bar;
import io.shredder.it.scale.ScalePlan;
import io.shredder.it.scale.ScaleRow;
import io.shredder.it.scale.ScaleRow.Figure;
import io.shredder.it.scale.ScaleRow.Part;
import io.shredder.it.scale.ScaleRows;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;

/** The bars of backups on many cores: promised for 16 cores and an image of 10 GB, and of less told but not judged. */
final class ScaleVerdicts {
    /** What the bars are for. */
    static final int CORES = 16;

    /** At once, by one job. */
    static final int IMAGES = 16;

    /** At once, of one agent. */
    static final int CLIENTS = 64;

    /** Whose sum more clients must reach. */
    static final int FEW_CLIENTS = 8;

    private static final int FEW_CORES = 2;
    private static final List<String> PEERS = List.of("restic", "rustic");
    private static final double GB = 1e9;
    private static final double MIB = 1 << 20;
    /** What an agent of two cores has resident at most with all of its clients' requests: 500 MB. */
    private static final double AGENT_BYTES = 500e6;

    private final List<ScaleRow> all;
    private final ScaleRows rows;
    private final List<Bar> bars = new ArrayList<>();
    /** The most that there are figures of, up to {@link #CORES}. */
    private final int cores;

    ScaleVerdicts(List<ScaleRow> rows) {
        this.all = rows;
        this.rows = new ScaleRows(rows);
        this.cores = rows.stream()
                .mapToInt(ScaleRow::cores)
                .filter(count -> count <= CORES)
                .max()
                .orElse(0);
    }

    /** A line each; what was not measured says so. */
    List<Bar> bars() {
        first();
        unchanged();
        operation(Operation.CHANGED, "changed 2 %: GB/s of source", 6, Optional.empty());
        operation(Operation.RESTORE, "restore through TLS: GB/s", 4, Optional.of("target"));
        operation(Operation.LOCAL_RESTORE, "restore without agent: GB/s", 6, Optional.of("target"));
        verify();
        images();
        clients();
        elsewhere();
        return bars;
    }

    private void first() {
        String byCores = "first backup, " + CORES + " cores : " + FEW_CORES;
        Optional<ScaleRow> many = ours(Operation.FIRST, cores);
        Optional<ScaleRow> few = ours(Operation.FIRST, FEW_CORES);
        if (many.isEmpty() || few.isEmpty() || cores == FEW_CORES) {
            bars.add(Bar.notRun(byCores, missing(Part.OPERATIONS)));
        } else {
            String beside = String.format(
                    Locale.ROOT,
                    "(%.2f GB/s on %d : %.2f on %d)",
                    many.get().rate() / GB,
                    cores,
                    few.get().rate() / GB,
                    FEW_CORES);
            add(Bar.atLeastTimes(byCores, many.get().rate() / few.get().rate(), 6, beside), many.get());
        }
        operation(Operation.FIRST, "first backup: GB/s of source", 3, Optional.empty());
        many.ifPresent(this::besidePeers);
    }

    /** One of them alone can only show that the bar falls short. */
    private void besidePeers(ScaleRow ours) {
        String name = "first backup, beside restic and rustic";
        List<ScaleRow> peers = PEERS.stream()
                .flatMap(peer -> rows.find(Part.OPERATIONS, peer, Operation.FIRST.title(), cores).stream())
                .toList();
        if (peers.isEmpty()) {
            bars.add(Bar.notRun(name, "neither was measured on " + cores + " cores"));
            return;
        }
        double best = peers.stream().mapToDouble(ScaleRow::rate).max().orElseThrow();
        var beside = new ArrayList<>(List.of(rateOf(ours)));
        peers.forEach(peer -> beside.add(rateOf(peer)));
        Bar bar = Bar.atLeastTimes(name, ours.rate() / best, 5, "(" + String.join(", ", beside) + " MB/s)");
        if (peers.size() < PEERS.size() && !bar.failed()) {
            bars.add(bar.notJudged("one of the two was not measured"));
        } else {
            add(bar, ours);
        }
    }

    private static String rateOf(ScaleRow row) {
        return String.format(Locale.ROOT, "%s %.0f", row.who(), row.rate() / 1e6);
    }

    private void unchanged() {
        String name = "unchanged, work alone: GB/s of source";
        Optional<ScaleRow> row = ours(Operation.UNCHANGED, cores);
        if (row.isEmpty()) {
            bars.add(Bar.notRun(name, missing(Part.OPERATIONS)));
            return;
        }
        Optional<Double> memory = limit("memory");
        double needed = Math.min(15, memory.map(rate -> 0.5 * rate).orElse(15.0));
        String beside = String.format(
                Locale.ROOT,
                "start of the command %.2f s of %.2f s%s",
                row.get().figure(Figure.START),
                row.get().seconds(),
                memory.map(rate -> String.format(Locale.ROOT, ", memory reads at %.1f", rate))
                        .orElse(""));
        add(Bar.atLeast(name, row.get().rateOfWork() / GB, needed, "", beside), row.get());
    }

    /** @param bound what of the machine it may come near instead */
    private void operation(Operation operation, String name, double needed, Optional<String> bound) {
        Optional<ScaleRow> row = ours(operation, cores);
        if (row.isEmpty()) {
            bars.add(Bar.notRun(name, missing(Part.OPERATIONS)));
            return;
        }
        Optional<Double> most = bound.flatMap(this::limit);
        double least = Math.min(needed, most.map(rate -> 0.9 * rate).orElse(needed));
        String beside = String.format(Locale.ROOT, "%.2f s", row.get().seconds())
                + most.map(rate -> String.format(Locale.ROOT, ", target takes %.1f", rate))
                        .orElse("");
        add(Bar.atLeast(name, row.get().rate() / GB, least, "", beside), row.get());
    }

    private void verify() {
        String name = "verify: GB/s of stored bytes";
        Optional<ScaleRow> row = ours(Operation.VERIFY, cores);
        if (row.isEmpty()) {
            bars.add(Bar.notRun(name, missing(Part.OPERATIONS)));
            return;
        }
        double stored = row.get().figure(Figure.REPOSITORY) / row.get().seconds() / GB;
        Optional<Double> disk = limit("disk");
        double needed = Math.min(8, disk.map(rate -> 0.9 * rate).orElse(8.0));
        String beside = String.format(
                Locale.ROOT,
                "%.2f s%s",
                row.get().seconds(),
                disk.map(rate -> String.format(Locale.ROOT, ", disk reads at %.1f", rate))
                        .orElse(""));
        add(Bar.atLeast(name, stored, needed, "", beside), row.get());
    }

    private void images() {
        int count = most(Part.IMAGES, IMAGES);
        Optional<ScaleRow> row = rows.find(Part.IMAGES, cores, count);
        String sum = IMAGES + " images at once, beside one stream";
        String fair = IMAGES + " images at once, slowest : mean";
        Optional<ScaleRow> one = ours(Operation.FIRST, cores);
        if (row.isEmpty()) {
            bars.add(Bar.notRun(sum, missing(Part.IMAGES)));
            return;
        }
        UnaryOperator<Bar> judged = bar -> count == IMAGES ? bar : bar.notJudged(count + " images");
        if (one.isPresent()) {
            String beside = String.format(
                    Locale.ROOT,
                    "(%.2f GB/s : %.2f)",
                    row.get().rate() / GB,
                    one.get().rate() / GB);
            add(judged.apply(Bar.atLeastTimes(sum, row.get().rate() / one.get().rate(), 0.9, beside)), row.get());
        }
        double share = row.get().figure(Figure.WORST) / row.get().figure(Figure.MEAN);
        add(judged.apply(Bar.atLeastTimes(fair, share, 0.9, "the mean")), row.get());
    }

    private void clients() {
        int count = most(Part.CLIENTS, CLIENTS);
        Optional<ScaleRow> many = rows.find(Part.CLIENTS, cores, count);
        Optional<ScaleRow> few = rows.find(Part.CLIENTS, cores, FEW_CLIENTS);
        String sum = CLIENTS + " clients, sum beside that of " + FEW_CLIENTS;
        if (many.isEmpty()) {
            bars.add(Bar.notRun(sum, missing(Part.CLIENTS)));
            return;
        }
        UnaryOperator<Bar> judged = bar -> count == CLIENTS ? bar : bar.notJudged(count + " clients");
        if (few.isPresent() && count > FEW_CLIENTS) {
            String beside = String.format(
                    Locale.ROOT,
                    "(%.2f GB/s : %.2f)",
                    many.get().rate() / GB,
                    few.get().rate() / GB);
            add(judged.apply(Bar.atLeastTimes(sum, many.get().rate() / few.get().rate(), 1, beside)), many.get());
        } else {
            bars.add(Bar.notRun(sum, missing(Part.CLIENTS)));
        }
        double share = many.get().figure(Figure.WORST) / many.get().figure(Figure.MEAN);
        add(judged.apply(Bar.atLeastTimes(CLIENTS + " clients, slowest : mean", share, 0.5, "the mean")), many.get());
        add(
                judged.apply(Bar.atMost(
                        CLIENTS + " clients, agent resident",
                        many.get().figure(Figure.PEAK) / 1e6,
                        agentBytes(cores) / 1e6,
                        " MB")),
                many.get());
    }

    /** As the agent's start has it: 32 MiB of heap for each core beyond two, and a pool of 32 MiB for each four. */
    static double agentBytes(int cores) {
        return AGENT_BYTES + 32 * MIB * (Math.max(0, cores - FEW_CORES) + (cores >= 4 ? cores / 4 : 0));
    }

    /** What other commands measure. */
    private void elsewhere() {
        bars.add(Bar.notRun("2 cores beside the peers, three rounds", "by ./run bars backup --rounds 3"));
        bars.add(Bar.notRun("scan, cuts and SHA-256 of one core; open, cut, close", "by ./run bars engine"));
        bars.add(Bar.notRun("-copyFromLocalGPU beside -copyFromLocal -t", "by ./run bench upload"));
        bars.add(Bar.notRun("failures injected", "by shredder_shortage_tests, in ./run test"));
        bars.add(Bar.notRun("max 1 GiB with buffers of 64 KiB", "by no set yet"));
    }

    private void add(Bar bar, ScaleRow row) {
        if (bar.verdict() == Bar.Verdict.NOT_JUDGED) {
            bars.add(bar);
        } else if (row.cores() < CORES) {
            bars.add(bar.notJudged(row.cores() + " cores; needs " + CORES));
        } else if (imageBytes() < ScalePlan.BAR_BYTES) {
            bars.add(bar.notJudged(imageBytes() / 1_000_000 + " MB; needs " + ScalePlan.BAR_BYTES / 1_000_000));
        } else {
            bars.add(bar);
        }
    }

    /** Of the images that were measured; clients put what they can of it. */
    private long imageBytes() {
        return all.stream()
                .filter(row -> row.part() != Part.CLIENTS)
                .mapToLong(ScaleRow::bytes)
                .min()
                .orElse(ScalePlan.BAR_BYTES);
    }

    private String missing(Part part) {
        Set<Integer> measured = rows.cores(part);
        return measured.isEmpty() ? "not measured" : "measured on " + measured + " cores alone";
    }

    private int most(Part part, int most) {
        return rows.of(part).stream()
                .filter(row -> row.cores() == cores)
                .mapToInt(ScaleRow::count)
                .filter(count -> count <= most)
                .max()
                .orElse(most);
    }

    private Optional<ScaleRow> ours(Operation operation, int count) {
        return rows.find(Part.OPERATIONS, ShredderContender.NAME, operation.title(), count);
    }

    /** GB/s. */
    private Optional<Double> limit(String what) {
        return rows.find(Part.LIMITS, "machine", what, cores).map(row -> row.rate() / GB);
    }
}
