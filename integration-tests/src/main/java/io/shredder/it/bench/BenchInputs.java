// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bench;

import io.shredder.it.corpus.Folders;
import io.shredder.it.process.Children;
import io.shredder.it.process.Command;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SplittableRandom;

/**
 * The inputs that chunkers are compared on, made once in a folder from what the machine has.
 *
 * @param folder where they lie
 * @param bytes of each
 * @param children who runs tar and mke2fs
 */
public record BenchInputs(Path folder, long bytes, Children children) {
    /** One input: a name for tables, and its file or why it can't be had. */
    public record Input(String name, Optional<Path> file, String missing) {}

    private static final long SEED = 20261121;
    private static final int PIECE_BYTES = 1 << 20;

    /** All three: random bytes, a tar of /usr, an ext4 image with a part of /usr in it. */
    public List<Input> all() throws InterruptedException {
        return List.of(random(), input("tar of /usr", this::writeTar), input("disk image", this::writeImage));
    }

    /** The same of another length. */
    BenchInputs ofBytes(long other) {
        return new BenchInputs(folder, other, children);
    }

    /** The random bytes alone. */
    public Input random() throws InterruptedException {
        return input("random", this::writeRandom);
    }

    private interface Maker {
        void make(Path target) throws IOException, InterruptedException;
    }

    private Input input(String name, Maker maker) throws InterruptedException {
        Path file = folder.resolve(name.replaceAll("\\W+", "-") + "-" + bytes);
        try {
            Files.createDirectories(folder);
            if (!Files.exists(file)) {
                Path partial = file.resolveSibling(file.getFileName() + ".partial");
                maker.make(partial);
                Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE);
            }
            return new Input(name, Optional.of(file), "");
        } catch (IOException e) {
            return new Input(
                    name,
                    Optional.empty(),
                    String.valueOf(e.getMessage()).lines().findFirst().orElse(""));
        }
    }

    private void writeRandom(Path target) throws IOException {
        var random = new SplittableRandom(SEED);
        var piece = new byte[PIECE_BYTES];
        try (OutputStream output = new BufferedOutputStream(Files.newOutputStream(target))) {
            for (long written = 0; written < bytes; written += PIECE_BYTES) {
                random.nextBytes(piece);
                output.write(piece);
            }
        }
    }

    private void writeTar(Path target) throws IOException, InterruptedException {
        run(
                "input-tar",
                "bash",
                "-c",
                "tar --sort=name -cf - -C / usr 2>/dev/null | head -c \"$1\" >\"$2\"",
                "bash",
                Long.toString(bytes),
                target.toString());
        if (Files.size(target) < bytes) {
            throw new IOException("/usr holds less than " + (bytes >> 20) + " MiB");
        }
    }

    /** Files for two thirds of the image; the rest is what a file system leaves free: zeros. */
    private void writeImage(Path target) throws IOException, InterruptedException {
        Path tree = Files.createTempDirectory(folder, "tree");
        try {
            run(
                    "input-tree",
                    "bash",
                    "-c",
                    "tar --sort=name -cf - -C / usr 2>/dev/null | head -c \"$1\" | tar -xf - -C \"$2\" 2>/dev/null || true",
                    "bash",
                    Long.toString(bytes / 3 * 2),
                    tree.toString());
            run(
                    "input-image",
                    "mke2fs",
                    "-q",
                    "-F",
                    "-t",
                    "ext4",
                    "-b",
                    "4096",
                    "-d",
                    tree.toString(),
                    target.toString(),
                    (bytes >> 10) + "k");
        } finally {
            Folders.delete(tree);
        }
    }

    private void run(String name, String... words) throws IOException, InterruptedException {
        children.run(new Command(
                name,
                List.of(words),
                Map.of("PATH", System.getenv("PATH") + ":/sbin:/usr/sbin"),
                folder,
                folder.resolve(name + ".log")));
    }
}
