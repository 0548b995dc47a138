// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.open;

import io.shredder.backup.server.Sites;
import io.shredder.it.corpus.Folders;
import io.shredder.it.figures.Bar;
import io.shredder.it.open.export.OtherPrograms;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;

/** {@code shredder-backup mount} by libguestfs, beside the folder that an image was made of. */
final class MountBars {

    private static final int FILES = 200;
    private static final int MOST_BYTES = 300_000;
    private static final long LIMIT_S = 900;

    private final Path program;
    private final Path folder;
    private final Consumer<Bar> bars;

    /**
     * Measures in a folder of its own.
     *
     * @param root the checkout, built
     */
    MountBars(Path root, Path work, Consumer<Bar> bars) {
        this.program = root.resolve("bin/shredder-backup");
        this.folder = work.resolve("mount");
        this.bars = bars;
    }

    /**
     * The bar.
     *
     * @param accelerator QEMU's word
     */
    void measure(String accelerator) throws IOException, InterruptedException {
        if (!OtherPrograms.has("guestmount")) {
            bars.accept(Bar.notRun("files of a snapshot at a folder", "needs guestmount, and a kernel in /boot"));
            return;
        }
        Folders.delete(folder);
        Path content = fill(Files.createDirectories(folder.resolve("content")));
        Path image = folder.resolve("image");
        OtherPrograms.must("mkfs.ext4", "-q", "-d", content.toString(), image.toString(), "300m");
        try (Sites sites = new Sites(folder)) {
            sites.startAsInstalled(program);
            sites.startAgent();
            sites.backUp(image, "files");
            judge(content, sites, accelerator);
        }
        Folders.delete(folder);
    }

    private void judge(Path content, Sites sites, String accelerator) throws IOException, InterruptedException {
        try (Mount unmounted = new Mount(sites, accelerator)) {
            unmounted.compare(content);
            OtherPrograms.must("umount", unmounted.at.toString());
            if (unmounted.end() != 0) {
                unmounted.wrong.add("it fails after umount");
            }
            try (Mount ended = new Mount(sites, accelerator)) {
                ended.process.destroy();
                ended.end();
                if (!isEmpty(ended.at)) {
                    unmounted.wrong.add("it stays after SIGTERM");
                }
            }
            bars.accept(Bar.holds(
                    "files of a snapshot at a folder, by libguestfs",
                    unmounted.wrong.isEmpty(),
                    unmounted.wrong.isEmpty()
                            ? String.format(Locale.ROOT, "%d files equal, there after %.0f s", FILES, unmounted.seconds)
                            : String.join("; ", unmounted.wrong),
                    "equal, read-only, gone after umount or SIGTERM"));
        }
    }

    private static boolean isEmpty(Path at) throws IOException {
        try (Stream<Path> left = Files.list(at)) {
            return left.findAny().isEmpty();
        }
    }

    private static Path fill(Path content) throws IOException {
        Random random = new Random(5);
        for (int i = 0; i < FILES; i++) {
            byte[] bytes = new byte[random.nextInt(MOST_BYTES)];
            random.nextBytes(bytes);
            Files.write(
                    Files.createDirectories(content.resolve("folder " + i % 7)).resolve("file-" + i), bytes);
        }
        return content;
    }

    /** The command, while it runs. */
    private final class Mount implements AutoCloseable {
        private final Path at = Files.createDirectories(folder.resolve("at"));
        private final Path log = folder.resolve("mount.log");
        private final List<String> wrong = new ArrayList<>();
        private final Process process;
        private final double seconds;

        Mount(Sites sites, String accelerator) throws IOException, InterruptedException {
            List<String> command = new ArrayList<>(List.of(program.toString()));
            command.addAll(sites.words("mount", "files", at.toString()));
            ProcessBuilder builder = new ProcessBuilder(command);
            builder.environment().put("LIBGUESTFS_BACKEND", "direct");
            if (accelerator.equals("tcg")) {
                builder.environment().put("LIBGUESTFS_BACKEND_SETTINGS", "force_tcg");
            }
            long startNs = System.nanoTime();
            process = builder.redirectErrorStream(true)
                    .redirectOutput(log.toFile())
                    .start();
            while (!Files.readString(log).contains("is at ")) {
                if (!process.isAlive() || System.nanoTime() - startNs > TimeUnit.SECONDS.toNanos(LIMIT_S)) {
                    process.destroy();
                    throw new IOException("not mounted: " + Files.readString(log));
                }
                TimeUnit.MILLISECONDS.sleep(100);
            }
            seconds = (System.nanoTime() - startNs) / 1e9;
        }

        void compare(Path content) throws IOException, InterruptedException {
            OtherPrograms.Said said =
                    OtherPrograms.run("diff", "-r", "--exclude=lost+found", content.toString(), at.toString());
            if (said.code() != 0) {
                wrong.add(said.text());
            }
            try {
                Files.writeString(at.resolve("new"), "x");
                wrong.add("it can be written");
            } catch (IOException e) {
                // As it should.
            }
        }

        int end() throws IOException, InterruptedException {
            if (!process.waitFor(LIMIT_S, TimeUnit.SECONDS)) {
                throw new IOException("it doesn't end");
            }
            return process.exitValue();
        }

        @Override
        public void close() {
            process.destroy();
        }
    }
}
