// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.open;

import io.shredder.it.figures.Bar;
import io.shredder.it.figures.Machine;
import io.shredder.it.open.boot.BootBars;
import io.shredder.it.open.files.FileBars;
import io.shredder.it.open.live.LiveMeasures;
import io.shredder.it.open.running.RunningBars;
import io.shredder.it.process.Child;
import io.shredder.it.process.Children;
import io.shredder.it.process.Command;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Predicate;

/** {@code ./run bars open}: backups that are opened without a restore. */
public final class OpenBars {
    private static final long FILLED_BYTES = 2L << 30;

    /** A guest's first minute. */
    private static final long GUEST_S = 60;

    private final Path root;
    private final OpenChoice choice;
    private final Children children;
    private final Consumer<Bar> bars;

    /**
     * Measures in {@code target/bars/open}.
     *
     * @param root the checkout, built
     * @param bars told each bar as it comes
     */
    public OpenBars(Path root, OpenChoice choice, Children children, Consumer<Bar> bars) {
        this.root = root;
        this.choice = choice;
        this.children = children;
        this.bars = bars;
    }

    /**
     * All parts that are asked for.
     *
     * @param has whether a part is
     * @param rounds of starts of a machine
     * @param seed of changed images
     */
    public void measure(Predicate<String> has, int rounds, long seed) throws IOException, InterruptedException {
        System.out.println(Machine.description());
        Path work = Files.createDirectories(root.resolve("target/bars/open"));
        if (has.test(OpenChoice.EXPORTS)) {
            attempt("backups opened as exports", () -> OpenMeasures.measure(root, bars, choice.requests()));
        }
        if (has.test(OpenChoice.KERNEL)) {
            attempt("a Linux kernel's own client", () -> new KernelBars(root, work, bars)
                    .measure(kernelDisk(work), choice.accelerating()));
        }
        if (has.test(OpenChoice.MOUNT)) {
            attempt("files of a snapshot at a folder", () -> new MountBars(root, work, bars)
                    .measure(choice.accelerating()));
        }
        FileBars files = new FileBars(root, work, choice.python(), children, bars);
        if (has.test(OpenChoice.FILES)) {
            attempt("single files", () -> files.bring(FILLED_BYTES));
        }
        if (has.test(OpenChoice.FUZZ)) {
            attempt("fuzzed file systems", () -> files.fuzz(choice.count(), seed));
        }
        if (has.test(OpenChoice.BOOT)) {
            attempt("a machine that starts", () -> new BootBars(root, work, children, bars)
                    .measure(disk(work), choice.accelerator(), rounds));
        }
        if (has.test(OpenChoice.LIVE)) {
            attempt("restore --live", () -> LiveMeasures.measure(root, bars, choice.liveImageBytes(), GUEST_S, rounds));
        }
        RunningBars running = new RunningBars(root, work, bars);
        if (has.test(OpenChoice.TRACKED)) {
            attempt("a running machine", () -> running.tracked(choice.machineDiskBytes(), rounds, seed));
        }
        if (has.test(OpenChoice.LEDGER)) {
            attempt(
                    "a running database",
                    () -> running.ledger(ledgerDisk(work), choice.accelerating(), choice.backups()));
        }
    }

    /** A Debian that starts; made once. */
    private Path disk(Path work) throws IOException, InterruptedException {
        return choice.disk().isPresent() ? choice.disk().get() : made(work.resolve("debian.img"));
    }

    private Path kernelDisk(Path work) throws IOException, InterruptedException {
        Path service = root.resolve("integration-tests/src/main/guest/nbd-reads.sh");
        return made(work.resolve("kernel.img"), "--packages", "nbd-client,iproute2", "--service", service.toString());
    }

    private Path ledgerDisk(Path work) throws IOException, InterruptedException {
        Path service = root.resolve("integration-tests/src/main/guest/ledger.py");
        return made(
                work.resolve("ledger.img"), "--packages", "python3,qemu-guest-agent", "--service", service.toString());
    }

    private Path made(Path disk, String... options) throws IOException, InterruptedException {
        if (Files.exists(disk)) {
            return disk;
        }
        Path log = Path.of(disk + ".log");
        List<String> words =
                new ArrayList<>(List.of(root.resolve("tools/debian-disk.sh").toString()));
        words.addAll(List.of(options));
        words.add(disk.toString());
        Child child = children.start(new Command("debian-disk", words, Map.of(), root, log));
        if (child.waitFor() != 0) {
            Files.deleteIfExists(disk);
            throw new IOException(Files.readString(log).strip());
        }
        return disk;
    }

    private interface Step {
        void measure() throws IOException, InterruptedException;
    }

    /** What can't be measured is said, and the others go on. */
    private void attempt(String name, Step step) throws InterruptedException {
        try {
            step.measure();
        } catch (IOException e) {
            bars.accept(Bar.holds(name, false, String.valueOf(e.getMessage()), "a figure"));
        }
    }
}
