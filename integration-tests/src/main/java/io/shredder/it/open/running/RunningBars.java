// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.open.running;

import io.shredder.it.corpus.Folders;
import io.shredder.it.figures.Bar;
import io.shredder.it.open.export.OtherPrograms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Consumer;

/** What backups of running machines promise. */
public final class RunningBars {

    private static final List<String> QEMU = List.of("qemu-system-x86_64", "qemu-img");
    private static final List<String> QEMU_AND_CHECKS =
            List.of("qemu-system-x86_64", "qemu-img", "e2fsck", "debugfs", "sqlite3");

    private final Path program;
    private final Path work;
    private final Consumer<Bar> bars;

    /**
     * Measures in a folder of its own in {@code work}.
     *
     * @param root the checkout, built
     * @param bars told each bar as it comes
     */
    public RunningBars(Path root, Path work, Consumer<Bar> bars) {
        this.program = root.resolve("bin/shredder-backup");
        this.work = work;
        this.bars = bars;
    }

    /** Of a disk of random bytes. */
    public void tracked(long imageBytes, int rounds, long seed) throws IOException, InterruptedException {
        inFolder(QEMU, folder -> new TrackedBars(program, folder, imageBytes, seed, bars).measure(rounds));
    }

    /**
     * Of a real machine.
     *
     * @param disk made by tools/debian-disk.sh with {@code src/main/guest/ledger.py} as its service
     * @param accelerator QEMU's word
     * @param count of backups, each restored
     */
    public void ledger(Path disk, String accelerator, int count) throws IOException, InterruptedException {
        inFolder(QEMU_AND_CHECKS, folder -> new LedgerBars(program, folder, bars).measure(disk, accelerator, count));
    }

    private interface Step {
        void measure(Path folder) throws IOException, InterruptedException;
    }

    private void inFolder(List<String> needed, Step step) throws IOException, InterruptedException {
        for (String program : needed) {
            if (!OtherPrograms.has(program)) {
                bars.accept(Bar.notRun("running machines", "needs " + program + ": tools/packages.sh bars-open"));
                return;
            }
        }
        Path folder = Files.createTempDirectory(work, "running");
        try {
            step.measure(folder);
        } finally {
            Folders.delete(folder);
        }
    }
}
