// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.scale;

import io.shredder.it.backup.ProcessorSet;
import io.shredder.it.process.Children;
import io.shredder.it.scale.OperationsUnit.Choice;
import io.shredder.it.scale.ScaleRow.Part;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Measures a plan, unit by unit, and keeps each unit's rows as soon as it is done. What earlier calls have measured
 * is not measured again. A call has a budget: it begins no unit that
 * would usually take longer than what is left, and gives one up that it ends in.
 */
public final class ScaleRun {
    /** What images, restored file and repositories take at most, in images. */
    private static final double ROOM = 4.5;
    /** So that what a call leaves is cleared away before somebody ends it. */
    private static final long CLEARING_MS = 5_000;

    private final ScalePlace place;
    private final ScalePlan plan;
    private final ScaleResults results;
    private final Duration budget;
    private final List<Failure> failures = new ArrayList<>();

    /**
     * How a call ended.
     *
     * @param left units that were not measured, for want of time
     * @param failures why others could not be
     */
    public record Ended(int left, List<Failure> failures) {}

    /**
     * A unit that could not be measured.
     *
     * @param isOurs whether that is this project's fault
     */
    public record Failure(String unit, String why, boolean isOurs) {}

    public ScaleRun(ScalePlace place, ScalePlan plan, ScaleResults results, Duration budget) {
        this.place = place;
        this.plan = plan;
        this.results = results;
        this.budget = budget;
    }

    /**
     * Measures what is not in the results yet.
     *
     * @throws IllegalArgumentException if the machine has too few cores, or the results are of images of another length
     */
    public Ended measure() throws IOException, InterruptedException {
        long startNs = System.nanoTime();
        checkPlan();
        ScaleImages images = ScaleImages.in(place.work().resolve("images"), plan.from(), plan.bytes(), plan.seed());
        List<ScaleUnit> waiting = new ArrayList<>();
        for (ScaleUnit unit : units(images)) {
            if (!results.has(unit.id())) {
                waiting.add(unit);
            }
        }
        var over = new AtomicBoolean();
        Thread watchdog = watchdog(startNs, over);
        try {
            return measure(waiting, startNs, over);
        } finally {
            watchdog.interrupt();
        }
    }

    private Ended measure(List<ScaleUnit> waiting, long startNs, AtomicBoolean over)
            throws IOException, InterruptedException {
        int left = 0;
        double usual = 0;
        double taken = 0;
        for (ScaleUnit unit : waiting) {
            double pace = usual > 0 ? Math.max(0.3, taken / usual) : 1;
            double remaining = budget.toMillis() / 1e3 - (System.nanoTime() - startNs) / 1e9;
            if (over.get() || (usual > 0 && unit.usualSeconds() * pace > remaining)) {
                left++;
                continue;
            }
            long unitNs = System.nanoTime();
            if (!measure(unit, over)) {
                left++;
            }
            usual += unit.usualSeconds();
            taken += (System.nanoTime() - unitNs) / 1e9;
        }
        return new Ended(left, List.copyOf(failures));
    }

    /** Whether it was measured, or can't be. */
    private boolean measure(ScaleUnit unit, AtomicBoolean over) throws InterruptedException {
        System.err.println("unit: " + unit.id());
        long unitNs = System.nanoTime();
        try {
            results.add(unit.measure());
            System.err.printf(Locale.ROOT, "unit: done in %.0f s%n", (System.nanoTime() - unitNs) / 1e9);
            return true;
        } catch (IOException e) {
            if (over.get()) {
                System.err.println("unit: given up at the end of the budget: " + unit.id());
                return false;
            }
            failures.add(new Failure(unit.id(), String.valueOf(e.getMessage()), unit.isOurs()));
            System.err.println("unit: not measured: " + e.getMessage());
            return true;
        }
    }

    /** Ends what runs when the budget does. */
    private Thread watchdog(long startNs, AtomicBoolean over) {
        Children children = place.children();
        var thread = new Thread(
                () -> {
                    try {
                        long spentMs = (System.nanoTime() - startNs) / 1_000_000;
                        Thread.sleep(Math.max(1, budget.toMillis() - CLEARING_MS - spentMs));
                        over.set(true);
                        children.close();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt(); // All is done.
                    }
                },
                "budget");
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private void checkPlan() throws IOException {
        int here = ProcessorSet.all().count();
        if (plan.mostCores() > here) {
            throw new IllegalArgumentException("--cores has " + plan.mostCores() + ", and this machine " + here);
        }
        for (ScaleRow row : results.rows()) {
            if (row.part() == Part.OPERATIONS && row.bytes() != plan.bytes()) {
                throw new IllegalArgumentException("the results are of images of " + row.bytes() + " bytes, not "
                        + plan.bytes() + ": name another file by --results, or the same size by --bytes");
            }
        }
        Files.createDirectories(place.work());
        long room = Files.getFileStore(place.work()).getUsableSpace();
        if (!Files.exists(place.work().resolve("images")) && room < ROOM * plan.bytes()) {
            throw new IllegalArgumentException(String.format(
                    Locale.ROOT,
                    "%s has room for %.1f GB, and %.1f are needed: name another folder by --work, or fewer --bytes",
                    place.work(),
                    room / 1e9,
                    ROOM * plan.bytes() / 1e9));
        }
    }

    /** The largest number of cores first; peers directly behind ours. */
    private List<ScaleUnit> units(ScaleImages images) {
        var units = new ArrayList<ScaleUnit>();
        List<Integer> cores =
                plan.cores().stream().sorted((a, b) -> Integer.compare(b, a)).toList();
        for (int round = 1; round <= plan.rounds(); round++) {
            for (int count : cores) {
                if (plan.parts().contains(Part.LIMITS)) {
                    units.add(new LimitsUnit(place, images, count, round));
                }
                if (plan.parts().contains(Part.OPERATIONS)) {
                    addContenders(units, images, count, 0, round);
                }
            }
            addOthers(units, images, round);
        }
        return units;
    }

    private void addContenders(List<ScaleUnit> units, ScaleImages images, int cores, double gbit, int round) {
        for (String contender : plan.contenders()) {
            boolean ours = contender.equals(OperationsUnit.OURS);
            if (!ours && gbit > 0) {
                continue; // Theirs is a folder of this machine.
            }
            for (String backend : ours ? plan.backends() : List.of("")) {
                units.add(new OperationsUnit(place, images, new Choice(contender, backend, cores, gbit, round)));
            }
        }
    }

    private void addOthers(List<ScaleUnit> units, ScaleImages images, int round) {
        if (plan.parts().contains(Part.IMAGES)) {
            for (int count : plan.images()) {
                units.add(new ImagesUnit(place, images, plan.mostCores(), count, round));
            }
        }
        if (plan.parts().contains(Part.CLIENTS)) {
            for (int count : plan.clients()) {
                units.add(new ClientsUnit(place, plan, count, round));
            }
        }
        if (plan.parts().contains(Part.LINK)) {
            for (double gbit : plan.links()) {
                addContenders(units, images, plan.mostCores(), gbit, round);
            }
        }
    }
}
