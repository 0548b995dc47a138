// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.open;

import com.google.common.hash.Hashing;
import com.google.common.hash.HashingOutputStream;
import com.google.common.io.ByteStreams;
import io.shredder.backup.server.Sites;
import io.shredder.it.corpus.Folders;
import io.shredder.it.figures.Bar;
import io.shredder.it.open.export.KernelClient;
import io.shredder.it.open.export.OtherPrograms;
import io.shredder.it.open.export.ServedExport;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;

/** What the NBD client of a Linux kernel reads of exports, beside the images. */
final class KernelBars {

    /** A disk of the kernel's has whole ones. */
    private static final long SECTOR = 512;

    /** Of an image of terabytes, so much is read, from a third of it on, where its data begin. */
    private static final long MOST_BYTES = 1L << 30;

    private final Path program;
    private final Path folder;
    private final Consumer<Bar> bars;

    /**
     * Measures in a folder of its own.
     *
     * @param root the checkout, built
     */
    KernelBars(Path root, Path work, Consumer<Bar> bars) {
        this.program = root.resolve("bin/shredder-backup");
        this.folder = work.resolve("kernel");
        this.bars = bars;
    }

    /**
     * The bar.
     *
     * @param disk made by tools/debian-disk.sh, whose service reads what it is told to
     */
    void measure(Path disk, String accelerator) throws IOException, InterruptedException {
        Folders.delete(folder);
        Files.createDirectories(folder);
        List<ServedExport> exports = new ArrayList<>();
        try (Sites sites = new Sites(folder)) {
            sites.startAsInstalled(program);
            sites.startAgent();
            Map<String, Path> images = new OpenImages(folder).make(OtherPrograms::must);
            List<KernelClient.Reading> readings = new ArrayList<>();
            for (Map.Entry<String, Path> each : images.entrySet()) {
                exports.add(serve(sites, each.getKey(), each.getValue()));
                long size = Files.size(each.getValue());
                long bytes = Math.min(size / SECTOR * SECTOR, MOST_BYTES);
                long from = size > MOST_BYTES ? size / 3 / SECTOR * SECTOR : 0;
                readings.add(new KernelClient.Reading(
                        each.getKey(), exports.get(exports.size() - 1).socket(), from, bytes));
            }
            judge(images, readings, KernelClient.read(disk, accelerator, readings, folder));
        } finally {
            for (ServedExport export : exports) {
                export.close();
            }
        }
        Folders.delete(folder);
    }

    private ServedExport serve(Sites sites, String name, Path image) throws IOException, InterruptedException {
        sites.backUp(image, name);
        Path socket = folder.resolve(name + ".nbd");
        List<String> command = new ArrayList<>(List.of(program.toString()));
        command.addAll(sites.words("nbd", name, "--socket", socket.toString()));
        return ServedExport.start(command, socket, folder.resolve("exports.log"));
    }

    private void judge(
            Map<String, Path> images, List<KernelClient.Reading> readings, Map<String, KernelClient.Found> found)
            throws IOException {
        List<String> wrong = new ArrayList<>();
        for (KernelClient.Reading reading : readings) {
            Path image = Objects.requireNonNull(images.get(reading.name()));
            KernelClient.Found expected =
                    new KernelClient.Found(Files.size(image) / SECTOR * SECTOR, digest(image, reading));
            if (!expected.equals(found.get(reading.name()))) {
                wrong.add(reading.name() + ": " + found.get(reading.name()) + ", not " + expected);
            }
        }
        bars.accept(Bar.holds(
                "a Linux kernel's own client reads what was there",
                wrong.isEmpty(),
                wrong.isEmpty() ? String.join(", ", images.keySet()) : String.join("; ", wrong),
                "identical"));
    }

    private static String digest(Path image, KernelClient.Reading reading) throws IOException {
        try (InputStream in = Files.newInputStream(image);
                HashingOutputStream digest =
                        new HashingOutputStream(Hashing.sha256(), OutputStream.nullOutputStream())) {
            in.skipNBytes(reading.from());
            ByteStreams.limit(in, reading.bytes()).transferTo(digest);
            return digest.hash().toString();
        }
    }
}
