// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.open.live;

import io.shredder.backup.server.Sites;
import io.shredder.it.figures.Bar;
import io.shredder.it.open.export.OtherPrograms;
import io.shredder.it.open.export.ServedExport;
import io.shredder.it.process.ProcessMemory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.function.Consumer;

/**
 * What {@code restore --live} promises, measured with real programs: an agent and the restore as processes, with TLS
 * between them, and the same clients in turn at its export, from its first moment on, and at {@code qemu-nbd}'s of the
 * same image as a local file that no cache holds.
 */
public final class LiveMeasures {

    private static final double LEAST_OF_LOCAL = 0.5;
    private static final long MIB = 1 << 20;
    private static final long WRITTEN_BYTES = 1000 * MIB;

    private final Path program;
    private final Path folder;
    private final Consumer<Bar> bars;
    private final Sites sites;
    private final long imageBytes;
    private final Path image;
    private final Path target;
    private final Path socket;

    private LiveMeasures(Path program, Path folder, Consumer<Bar> bars, Sites sites, long imageBytes) {
        this.imageBytes = imageBytes;
        this.program = program;
        this.folder = folder;
        this.bars = bars;
        this.sites = sites;
        this.image = folder.resolve("local.img");
        this.target = folder.resolve("target.img");
        this.socket = folder.resolve("nbd");
    }

    /**
     * Measures all, in a folder that is deleted in the end.
     *
     * @param root the checkout, built
     * @param imageBytes a multiple of 1 MiB
     * @param seconds how long a guest works: 60 for the bar
     * @param rounds of each
     */
    public static void measure(Path root, Consumer<Bar> bars, long imageBytes, long seconds, int rounds)
            throws IOException, InterruptedException {
        for (String needed : List.of("nbdcopy", "qemu-nbd", "dd")) {
            if (!OtherPrograms.has(needed)) {
                bars.accept(Bar.notRun("restore --live", "needs " + needed + ": tools/packages.sh open"));
                return;
            }
        }
        Path folder = Files.createTempDirectory(Files.createDirectories(root.resolve("target/bars")), "live");
        try (Sites sites = new Sites(folder)) {
            Path program = root.resolve("bin/shredder-backup");
            sites.startAsInstalled(program);
            sites.startAgent();
            LiveMeasures measures = new LiveMeasures(program, folder, bars, sites, imageBytes);
            measures.backUp();
            measures.guest(seconds, rounds);
            measures.inOrder(rounds);
        } finally {
            new ProcessBuilder("rm", "-rf", folder.toString()).start().waitFor();
        }
    }

    private void backUp() throws IOException {
        Sites.random(image, new Random(1), imageBytes);
        Sites.random(folder.resolve("written"), new Random(2), WRITTEN_BYTES);
        sites.backUp(image, "vm");
    }

    private ServedExport live() throws IOException, InterruptedException {
        for (String name : List.of("", ".shredder-live", ".shredder-live-map")) {
            Files.deleteIfExists(Path.of(target + name));
        }
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(
                sites.words("restore", "vm", "--to", target.toString(), "--live", "--socket", socket.toString()));
        return serve(command);
    }

    /** The same image as a local file, which the system has written and forgotten. */
    private ServedExport local() throws IOException, InterruptedException {
        OtherPrograms.must("dd", "of=" + image, "oflag=nocache", "conv=notrunc,fdatasync", "count=0", "status=none");
        return serve(
                List.of("/usr/bin/qemu-nbd", "-f", "raw", "-k", socket.toString(), "-t", "-e", "8", image.toString()));
    }

    private ServedExport serve(List<String> command) throws IOException, InterruptedException {
        return ServedExport.start(command, socket, folder.resolve("exports.log"));
    }

    private void guest(long seconds, int rounds) throws IOException, InterruptedException {
        double live = 0;
        double local = 0;
        for (int round = 0; round < rounds; round++) {
            try (ServedExport served = live()) {
                live = Math.max(live, new GuestLoad(served.socket(), imageBytes).run(seconds, 7 + round));
                bars.accept(Bar.reported(
                        "resident memory of restore --live",
                        ProcessMemory.mostResidentBytes(served.pid()) / MIB + " MiB"));
            }
            try (ServedExport served = local()) {
                local = Math.max(local, new GuestLoad(served.socket(), imageBytes).run(seconds, 7 + round));
            }
        }
        bars.accept(Bar.atLeastTimes(
                String.format(
                        Locale.ROOT,
                        "restore --live, %.1f GB: a guest's first %d s, beside a local file",
                        imageBytes / 1e9,
                        seconds),
                live / local,
                LEAST_OF_LOCAL,
                String.format(Locale.ROOT, "(%.0f and %.0f MB/s)", live, local)));
    }

    private void inOrder(int rounds) throws IOException, InterruptedException {
        double[] reads = new double[2];
        double[] writes = new double[2];
        for (int round = 0; round < rounds; round++) {
            for (int i = 0; i < 2; i++) {
                try (ServedExport served = i == 0 ? live() : local()) {
                    reads[i] = Math.max(reads[i], rate(imageBytes, "nbdcopy", served.uri(), "null:"));
                }
                try (ServedExport served = i == 0 ? live() : local()) {
                    String written = folder.resolve("written").toString();
                    writes[i] = Math.max(writes[i], rate(WRITTEN_BYTES, "nbdcopy", "--flush", written, served.uri()));
                }
            }
        }
        bars.accept(Bar.reported(
                "restore --live: nbdcopy reads all at once, beside a local file", rates(reads[0], reads[1])));
        bars.accept(Bar.reported(
                "restore --live: nbdcopy writes and flushes, beside a local file", rates(writes[0], writes[1])));
    }

    private double rate(long bytes, String... words) throws IOException, InterruptedException {
        long beginNs = System.nanoTime();
        OtherPrograms.must(words);
        return bytes / 1e6 / ((System.nanoTime() - beginNs) / 1e9);
    }

    private static String rates(double live, double local) {
        return String.format(Locale.ROOT, "%.2f x (%.0f and %.0f MB/s)", live / local, live, local);
    }
}
