// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.open.running;

import io.shredder.backup.server.RunningQemu;
import io.shredder.backup.server.Sites;
import io.shredder.it.backup.ProcessorSet;
import io.shredder.it.figures.Bar;
import io.shredder.it.figures.Medians;
import io.shredder.it.open.export.OtherPrograms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Consumer;

/**
 * How much of a running machine's disk is read when a hundredth of it has changed, how long that takes beside a read of
 * all, and how long a guest's write takes meanwhile. The machine is QEMU with a processor that stands still: what a
 * guest would write is written by QEMU itself, through the same layers. The agent, which in earnest has a machine of
 * its own, and the commands have half of the cores, as {@code AllowedCPUs=} of a unit gives them: where they have all,
 * a write waits until the kernel, or the host below it, gives QEMU a core.
 */
final class TrackedBars {

    private static final String DISK = "root";
    private static final double MOST_READ_PERCENT = 2;
    private static final double MOST_OF_WHOLE = 0.25;
    private static final double MOST_TIMES = 2;
    /** A SATA SSD's; what the system's cache has would be read at once, and prove nothing of disks. */
    private static final long READ_RATE = 500_000_000;

    private static final long QUIET_MS = 10_000;
    private static final int KIB = 1 << 10;
    private static final int JUDGED_RUN = 256 * KIB;
    private static final List<Integer> OTHER_RUNS = List.of(1024 * KIB, 64 * KIB, 4 * KIB);

    private final Path program;
    private final Path folder;
    private final long imageBytes;
    private final Random random;
    private final Consumer<Bar> bars;

    TrackedBars(Path program, Path folder, long imageBytes, long seed, Consumer<Bar> bars) {
        this.program = program;
        this.folder = folder;
        this.imageBytes = imageBytes;
        this.random = new Random(seed);
        this.bars = bars;
    }

    /**
     * The bars.
     *
     * @param rounds of what is judged
     */
    void measure(int rounds) throws IOException, InterruptedException {
        Path raw = folder.resolve("random.img");
        Path disk = folder.resolve("disk.qcow2");
        Sites.random(raw, random, imageBytes);
        OtherPrograms.must("qemu-img", "convert", "-O", "qcow2", raw.toString(), disk.toString());
        Files.delete(raw);
        try (RunningSite site = new RunningSite(program, folder);
                RunningQemu qemu = new RunningQemu(folder).attach(DISK, disk, READ_RATE)) {
            qemu.start();
            ProcessorSet all = ProcessorSet.all();
            site.hold(all.secondHalf());
            site.backUp(qemu.qmp());
            List<Double> quietMs = new ArrayList<>();
            List<RunningSite.Backup> tracked = new ArrayList<>();
            List<RunningSite.Backup> whole = new ArrayList<>();
            List<Double> trackedMs = new ArrayList<>();
            List<Double> wholeMs = new ArrayList<>();
            for (int round = 0; round < rounds; round++) {
                quietMs.addAll(WritingLoad.run(qemu, DISK, imageBytes, () -> Thread.sleep(QUIET_MS))
                        .tookMs());
                trackedMs.addAll(trackedMs(qemu, () -> tracked.add(site.backUp(qemu.qmp()))));
                change(qemu, JUDGED_RUN);
                Thread.sleep(1_000); // Until a read of all is due.
                wholeMs.addAll(WritingLoad.run(
                                qemu, DISK, imageBytes, () -> whole.add(site.backUp(qemu.qmp(), "--whole-every", "1s")))
                        .tookMs());
            }
            tell(tracked, whole);
            latency("a backup of what changed", trackedMs, quietMs, true);
            latency("a read of all", wholeMs, quietMs, false);
            site.hold(all);
            List<Double> crowdedMs = new ArrayList<>();
            for (int round = 0; round < rounds; round++) {
                crowdedMs.addAll(trackedMs(qemu, () -> site.backUp(qemu.qmp())));
            }
            latency("a backup of what changed that may use all cores", crowdedMs, quietMs, false);
            for (int bytes : OTHER_RUNS) {
                change(qemu, bytes);
                bars.accept(Bar.reported(
                        "the same for runs of " + bytes / KIB + " KiB",
                        percent(site.backUp(qemu.qmp()).shareRead())));
            }
        }
    }

    /** Of a guest's writes in a backup of a hundredth. */
    private List<Double> trackedMs(RunningQemu qemu, WritingLoad.Meanwhile backup)
            throws IOException, InterruptedException {
        change(qemu, JUDGED_RUN);
        return WritingLoad.run(qemu, DISK, imageBytes, backup).tookMs();
    }

    private void tell(List<RunningSite.Backup> tracked, List<RunningSite.Backup> whole) {
        bars.accept(Bar.atMost(
                String.format(
                        Locale.ROOT,
                        "running machine, %.0f GB, read at most at %.0f MB/s, 1 %% changed in runs of %d KiB, a guest"
                                + " that writes, agent and commands on half of the cores: read of its disk",
                        imageBytes / 1e9,
                        READ_RATE / 1e6,
                        JUDGED_RUN / KIB),
                100
                        * Medians.of(tracked.stream()
                                .map(RunningSite.Backup::shareRead)
                                .toList()),
                MOST_READ_PERCENT,
                " %"));
        double trackedS =
                Medians.of(tracked.stream().map(RunningSite.Backup::seconds).toList());
        double wholeS =
                Medians.of(whole.stream().map(RunningSite.Backup::seconds).toList());
        bars.accept(Bar.atMost(
                "the same: time of the whole command, beside one that reads all",
                trackedS / wholeS,
                MOST_OF_WHOLE,
                " x",
                String.format(Locale.ROOT, "%.1f and %.1f s", trackedS, wholeS)));
    }

    private void latency(String what, List<Double> tookMs, List<Double> quietMs, boolean judged) {
        double times = Quantile.p99(tookMs) / Quantile.p99(quietMs);
        String name = "p99 of a guest's write of 4 KiB during " + what + ", beside none";
        String both = String.format(Locale.ROOT, "%.2f and %.2f ms", Quantile.p99(tookMs), Quantile.p99(quietMs));
        bars.accept(
                judged
                        ? Bar.atMost(name, times, MOST_TIMES, " x", both)
                        : Bar.reported(name, String.format(Locale.ROOT, "%.2f x; %s", times, both)));
    }

    /** Writes over a hundredth of the disk, in runs of so many bytes at multiples of their length. */
    private void change(RunningQemu qemu, int runBytes) throws IOException {
        for (long left = imageBytes / 100; left > 0; left -= runBytes) {
            long offset = random.nextLong(imageBytes / runBytes) * runBytes;
            qemu.hmp("qemu-io " + DISK + " \"write -P " + (1 + random.nextInt(255)) + " " + offset + " " + runBytes
                    + "\"");
        }
        qemu.hmp("qemu-io " + DISK + " flush");
    }

    private static String percent(double share) {
        return String.format(Locale.ROOT, "%.2f %%", 100 * share);
    }
}
