// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.open.running;

import io.shredder.it.figures.Bar;
import io.shredder.it.figures.Medians;
import io.shredder.it.open.export.OtherPrograms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Backups in a row of a real machine while its database is written, each restored and looked into: every second one is
 * taken with the guest's file systems frozen by its agent, the others as if power had failed at that moment.
 */
final class LedgerBars {

    private static final long QUIET_MS = 30_000;

    private final Path program;
    private final Path folder;
    private final Consumer<Bar> bars;
    private final List<Double> during = new ArrayList<>();
    private final List<Double> shares = new ArrayList<>();
    private final List<Double> seconds = new ArrayList<>();
    private final List<String> wrong = new ArrayList<>();

    LedgerBars(Path program, Path folder, Consumer<Bar> bars) {
        this.program = program;
        this.folder = folder;
        this.bars = bars;
    }

    /**
     * The bar.
     *
     * @param disk made by tools/debian-disk.sh with the ledger in it; it is not changed
     * @param count of backups
     */
    void measure(Path disk, String accelerator, int count) throws IOException, InterruptedException {
        Path running = folder.resolve("running.qcow2");
        OtherPrograms.must("qemu-img", "convert", "-O", "qcow2", disk.toString(), running.toString());
        try (RunningSite site = new RunningSite(program, folder);
                LedgerGuest guest = new LedgerGuest(running, accelerator, folder)) {
            int from = guest.seconds();
            Thread.sleep(QUIET_MS);
            List<Double> quiet = guest.tookMs(from, guest.seconds());
            for (int i = 0; i < count; i++) {
                backUpAndCheck(site, guest, i);
            }
            bars.accept(Bar.holds(
                    count + " backups while a database is written, each restored: fsck, SQLite's check, sums",
                    wrong.isEmpty(),
                    wrong.isEmpty() ? guest.committed() + " transactions, none lost" : String.join("; ", wrong),
                    "all consistent, nothing forced is missing"));
            bars.accept(Bar.reported(
                    "the same: read of the disk, time of the command, medians",
                    String.format(Locale.ROOT, "%.1f %%, %.1f s", 100 * Medians.of(shares), Medians.of(seconds))));
            bars.accept(Bar.reported(
                    "the same: p99 of a transaction during backups, beside none; half of them freeze the guest",
                    String.format(
                            Locale.ROOT,
                            "%.1f x: %.0f and %.0f ms, %s, medians %.0f and %.0f",
                            Quantile.p99(during) / Quantile.p99(quiet),
                            Quantile.p99(during),
                            Quantile.p99(quiet),
                            accelerator,
                            Medians.of(during),
                            Medians.of(quiet))));
        }
    }

    private void backUpAndCheck(RunningSite site, LedgerGuest guest, int number)
            throws IOException, InterruptedException {
        boolean frozen = number % 2 == 0;
        String[] options =
                frozen ? new String[] {"--guest-agent", guest.guestAgent().toString()} : new String[0];
        long committed = guest.committed();
        int from = guest.seconds();
        RunningSite.Backup backup = site.backUp(guest.qmp(), options);
        Path restored = folder.resolve("restored.img");
        if (number > 0) { // The first reads all.
            Thread.sleep(1_000); // What ended within the last second is told at its end.
            during.addAll(guest.tookMs(from, guest.seconds()));
            shares.add(backup.shareRead());
            seconds.add(backup.seconds());
        }
        site.restore(LedgerGuest.DISK, restored);
        Optional<String> found = new LedgerCheck(folder).of(restored, committed);
        found.ifPresent(what -> wrong.add("backup " + number + (frozen ? ", frozen: " : ": ") + what));
        Files.delete(restored);
    }
}
