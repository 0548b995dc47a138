// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.open.guest;

import io.shredder.backup.server.machine.MachineOptions;
import io.shredder.it.figures.Bar;
import io.shredder.it.figures.Machine;
import io.shredder.it.open.boot.BootBars;
import io.shredder.it.open.files.FileBars;
import io.shredder.it.process.Children;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** Measures the bars of {@code shredder-backup files} and {@code boot}. */
@Command(
        name = "guest-bars",
        description = "The bars of single files, hostile file systems, and machines that start from a snapshot.",
        mixinStandardHelpOptions = true)
public final class GuestBarsCommand implements Callable<Integer> {

    @Option(names = "--only", split = ",", paramLabel = "PART", description = "files, fuzz, boot (default: all).")
    private List<String> only = List.of("files", "fuzz", "boot");

    @Option(names = "--work", paramLabel = "FOLDER", description = "Where to (default: ${DEFAULT-VALUE}).")
    private Path work = Path.of("target/bars/open/guest");

    @Option(names = "--python", paramLabel = "FILE", description = "The Python that has Dissect's parsers.")
    private @Nullable Path python;

    @Option(names = "--count", paramLabel = "N", description = "Fuzzed images (default: ${DEFAULT-VALUE}).")
    private int count = 1_000;

    @Option(names = "--seed", paramLabel = "N", description = "Of what is drawn (default: ${DEFAULT-VALUE}).")
    private long seed = 1;

    @Option(names = "--fill", paramLabel = "BYTES", description = "Noise in the image (default: ${DEFAULT-VALUE}).")
    private long fillBytes = 2L << 30;

    @Option(names = "--image", paramLabel = "FILE", description = "A raw image that says login: when it has started.")
    private @Nullable Path image;

    @Option(names = "--accelerator", paramLabel = "KIND", description = "AUTO, KVM or TCG.")
    private MachineOptions.Accelerator accelerator = MachineOptions.Accelerator.AUTO;

    @Option(names = "--rounds", paramLabel = "N", description = "Of starts (default: ${DEFAULT-VALUE}).")
    private int rounds = 3;

    /** Measures and exits: 0 if all hold, 1 if not, 2 for wrong usage. */
    public static void main(String[] args) {
        System.exit(new CommandLine(new GuestBarsCommand()).execute(args));
    }

    @Override
    public Integer call() throws Exception {
        System.out.println(Machine.description());
        Path root = Path.of("").toAbsolutePath();
        List<Bar> bars = new ArrayList<>();
        try (Children children = new Children()) {
            FileBars files = new FileBars(root, work, Optional.ofNullable(python), children, bar -> record(bars, bar));
            if (only.contains("files")) {
                files.bring(fillBytes);
            }
            if (only.contains("fuzz")) {
                files.fuzz(count, seed);
            }
            if (only.contains("boot")) {
                if (image == null) {
                    record(bars, Bar.notRun("QEMU starts Debian over the export", "no --image"));
                } else {
                    new BootBars(root, work, children, bar -> record(bars, bar)).measure(image, accelerator, rounds);
                }
            }
        }
        return bars.stream().anyMatch(bar -> bar.verdict() == Bar.Verdict.FAILED) ? 1 : 0;
    }

    private static void record(List<Bar> bars, Bar bar) {
        bars.add(bar);
        System.out.println(bar.line());
    }
}
