// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.open.files;

import io.shredder.backup.server.guest.ReaderProgram;
import io.shredder.it.corpus.Folders;
import io.shredder.it.figures.Bar;
import io.shredder.it.process.Child;
import io.shredder.it.process.Children;
import io.shredder.it.trust.TrustSite;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;

/**
 * Single files of an image at an agent: how soon the first is there, how many a second, and what hostile file systems
 * can do. Needs Dissect's parsers and bubblewrap, and the programs of {@link FileImages}.
 */
public final class FileBars {

    private static final long IMAGE_BYTES = 6L << 30;
    private static final int FILES = 10_000;
    private static final int FILE_BYTES = 4_096;
    private static final int ONE_BYTES = 1_000_000;
    private static final int PIECE = 1 << 20;
    private static final double MOST_FIRST_SECONDS = 5;
    private static final double LEAST_FILES_A_SECOND = 50;
    private static final String CLIENT = "bars";

    private final Path root;
    private final Path folder;
    private final Optional<Path> python;
    private final Children children;
    private final Consumer<Bar> bars;

    /**
     * Measures in a folder of its own.
     *
     * @param root the checkout, built
     * @param python with Dissect's parsers; the usual one if empty
     */
    public FileBars(Path root, Path folder, Optional<Path> python, Children children, Consumer<Bar> bars) {
        this.root = root;
        this.folder = folder.toAbsolutePath();
        this.python = python;
        this.children = children;
        this.bars = bars;
    }

    /** The bar of fuzzed images. */
    public void fuzz(int count, long seed) throws IOException {
        Path work = folder.resolve("fuzz");
        Folders.delete(work);
        Files.createDirectories(work);
        FuzzTrial.Seen seen = new FuzzTrial(ReaderProgram.find(python, true), work, seed).run(count);
        seen.problems().forEach(System.out::println);
        bars.accept(Bar.holds(
                "fuzzed file systems and partition tables",
                seen.problems().isEmpty(),
                String.format(
                        "%,d images: %,d read as usual, %,d with errors of files, %,d refused whole; slowest %.1f s",
                        seen.images(), seen.asUsual(), seen.withErrors(), seen.refused(), seen.slowestSeconds()),
                "no crash outside the sandbox, no hang"));
    }

    /**
     * The bars of one file and of 10,000.
     *
     * @param fillBytes of the image that are taken by a file of noise
     */
    public void bring(long fillBytes) throws IOException, InterruptedException {
        Path work = folder.resolve("bring");
        Folders.delete(work);
        Path contents = contents(Files.createDirectories(work.resolve("contents")), fillBytes);
        Path image = work.resolve("disk.img");
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(IMAGE_BYTES);
        }
        FileImages.run(work, "mkfs.ext4", "-q", "-F", "-d", contents.toString(), image.toString());
        try (TrustSite site = new TrustSite(
                root,
                work.resolve("site"),
                List.of(CLIENT),
                "clients: {" + CLIENT + ": {rights: [append, restore]}}\n",
                List.of(),
                children)) {
            run(site, words(site, "backup", image.toString(), "--name", "disk"));
            double one = timed(site, "/one", site.folder().resolve("one"));
            boolean equal =
                    Files.mismatch(contents.resolve("one"), site.folder().resolve("one/one")) == -1;
            bars.accept(Bar.atMost(
                    "one file of 1 MB of a 6 GB image, the whole command",
                    one,
                    MOST_FIRST_SECONDS,
                    " s",
                    "digest " + (equal ? "equal" : "DIFFERS")));
            double all = timed(site, "/many", site.folder().resolve("many"));
            int same = same(contents.resolve("many"), site.folder().resolve("many/many"));
            bars.accept(Bar.atLeast(
                    "files of 4 KiB a second, the whole command",
                    same / all,
                    LEAST_FILES_A_SECOND,
                    "/s",
                    String.format("%,d of %,d are equal", same, FILES)));
        }
    }

    private static Path contents(Path folder, long fillBytes) throws IOException {
        Random random = new Random(7);
        Path many = Files.createDirectories(folder.resolve("many"));
        byte[] bytes = new byte[FILE_BYTES];
        for (int i = 0; i < FILES; i++) {
            random.nextBytes(bytes);
            Files.write(many.resolve("f" + i), bytes);
        }
        byte[] one = new byte[ONE_BYTES];
        random.nextBytes(one);
        Files.write(folder.resolve("one"), one);
        byte[] piece = new byte[PIECE];
        try (RandomAccessFile fill = new RandomAccessFile(folder.resolve("fill").toFile(), "rw")) {
            for (long left = fillBytes; left > 0; left -= PIECE) {
                random.nextBytes(piece);
                fill.write(piece);
            }
        }
        return folder;
    }

    private static int same(Path expected, Path brought) throws IOException {
        int same = 0;
        try (Stream<Path> files = Files.list(expected)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Path other = brought.resolve(expected.relativize(file));
                same += Files.exists(other) && Files.mismatch(file, other) == -1 ? 1 : 0;
            }
        }
        return same;
    }

    private double timed(TrustSite site, String path, Path to) throws IOException, InterruptedException {
        List<String> words = words(site, "files", "disk", path, "--to", to.toString());
        python.ifPresent(program -> words.addAll(List.of("--python", program.toString())));
        long startNs = System.nanoTime();
        run(site, words);
        return (System.nanoTime() - startNs) / 1e9;
    }

    private static void run(TrustSite site, List<String> words) throws IOException, InterruptedException {
        Child child = site.start("shredder-backup", words);
        child.waitForSuccess();
    }

    private static List<String> words(TrustSite site, String... own) {
        List<String> words = new ArrayList<>(List.of(own));
        words.addAll(List.of("--agent", "127.0.0.1:" + site.port()));
        words.addAll(site.identity("client-" + CLIENT));
        words.addAll(List.of("--repository-key", "site.key", "--secret-file", "site.secret", "--state", "state"));
        return words;
    }
}
