// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.open.boot;

import io.shredder.backup.server.guest.ImageBytes;
import io.shredder.backup.server.machine.BootTest;
import io.shredder.backup.server.machine.MachineOptions;
import io.shredder.it.corpus.Folders;
import io.shredder.it.figures.Bar;
import io.shredder.it.process.Child;
import io.shredder.it.process.Children;
import io.shredder.it.trust.TrustSite;
import java.io.EOFException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.function.Consumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A machine that starts over the export of a snapshot, and from a local file, in turn, with the same accelerator. */
public final class BootBars {

    private static final double MOST_TIMES = 2;
    private static final String CLIENT = "bars";
    private static final Duration PATIENCE = Duration.ofMinutes(10);
    private static final Pattern SECONDS = Pattern.compile("is alive after ([0-9.]+) s");

    private final Path root;
    private final Path folder;
    private final Children children;
    private final Consumer<Bar> bars;

    /**
     * Measures in a folder of its own.
     *
     * @param root the checkout, built
     */
    public BootBars(Path root, Path folder, Children children, Consumer<Bar> bars) {
        this.root = root;
        this.folder = folder.toAbsolutePath();
        this.children = children;
        this.bars = bars;
    }

    /**
     * The bar.
     *
     * @param image a raw image that says {@code login:} on its serial console when it has started
     */
    public void measure(Path image, MachineOptions.Accelerator accelerator, int rounds)
            throws IOException, InterruptedException {
        Path work = folder.resolve("boot");
        Folders.delete(work);
        Files.createDirectories(work);
        String rights = "clients: {" + CLIENT + ": {rights: [append, restore]}}\n";
        try (TrustSite site = new TrustSite(root, work.resolve("site"), List.of(CLIENT), rights, List.of(), children)) {
            site.start(
                            "shredder-backup",
                            words(site, "backup", image.toAbsolutePath().toString(), "--name", "machine"))
                    .waitForSuccess();
            double local = Double.MAX_VALUE;
            double exported = Double.MAX_VALUE;
            for (int round = 0; round < rounds; round++) {
                local = Math.min(local, local(image, accelerator));
                exported = Math.min(exported, exported(site, accelerator));
            }
            bars.accept(Bar.atMost(
                    "QEMU starts Debian over the export, beside a local file",
                    exported / local,
                    MOST_TIMES,
                    " x",
                    String.format(
                            Locale.ROOT, "%.1f s and %.1f s, %s, best of %d", exported, local, accelerator, rounds)));
        }
    }

    private static double local(Path image, MachineOptions.Accelerator accelerator) throws IOException {
        MachineOptions options = new MachineOptions(
                1024,
                2,
                MachineOptions.Network.NONE,
                MachineOptions.Disk.VIRTIO,
                accelerator,
                MachineOptions.Firmware.AUTO,
                PATIENCE);
        BootTest.Signs signs = new BootTest.Signs(Optional.of(Pattern.compile("login:")), OptionalInt.empty(), false);
        try (FileChannel channel = FileChannel.open(image, StandardOpenOption.READ)) {
            BootTest.Outcome outcome = new BootTest(options, signs, System.out::println)
                    .run(bytes(channel), image.toAbsolutePath().toString(), Optional.empty());
            if (!outcome.alive()) {
                throw new IOException("the local file does not start either: " + outcome.console());
            }
            return outcome.elapsed().toMillis() / 1e3;
        }
    }

    private static ImageBytes bytes(FileChannel channel) throws IOException {
        long size = channel.size();
        return new ImageBytes() {
            @Override
            public long size() {
                return size;
            }

            @Override
            public void read(long offset, ByteBuffer into) throws IOException {
                for (long at = offset; into.hasRemaining(); ) {
                    int count = channel.read(into, at);
                    if (count < 0) {
                        throw new EOFException("the image ends before its size");
                    }
                    at += count;
                }
            }
        };
    }

    private static double exported(TrustSite site, MachineOptions.Accelerator accelerator)
            throws IOException, InterruptedException {
        List<String> words = words(site, "boot", "machine", "--memory", "1g", "--cpus", "2");
        words.addAll(List.of("--wait", PATIENCE.toSeconds() + "s", "--picture", "screen.png"));
        words.addAll(List.of("--accelerator", accelerator.name().toLowerCase(Locale.ROOT)));
        Child child = site.start("shredder-backup", words);
        child.waitForSuccess();
        Matcher seconds = SECONDS.matcher(Files.readString(child.log()));
        if (!seconds.find()) {
            throw new IOException("'boot' said nothing of seconds: " + Files.readString(child.log()));
        }
        return Double.parseDouble(seconds.group(1));
    }

    private static List<String> words(TrustSite site, String... own) {
        List<String> words = new ArrayList<>(List.of(own));
        words.addAll(List.of("--agent", "127.0.0.1:" + site.port()));
        words.addAll(site.identity("client-" + CLIENT));
        words.addAll(List.of("--repository-key", "site.key", "--secret-file", "site.secret", "--state", "state"));
        return words;
    }
}
