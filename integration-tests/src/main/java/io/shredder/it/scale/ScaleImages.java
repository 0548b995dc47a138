// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.scale;

import io.shredder.it.corpus.Folders;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * An image of programs and libraries as a tar has them, and the same with 2 % of its bytes changed, for machines
 * without a network: of
 * files that the machine has, so the same on each run there. Where those are too few, they come again, each byte
 * XORed with a number that is another one for each
 * MiB: never the same twice, and as compressible.
 *
 * <p>What changes: runs of 16 to 256 KiB at places that the seed decides, each of which becomes other content of the
 * image, XORed.
 *
 * @param first the image
 * @param second its next version
 * @param bytes of each
 */
public record ScaleImages(Path first, Path second, long bytes) {
    private static final int SEGMENT_BYTES = 1 << 20;
    private static final int BLOCK_BYTES = 4 << 10;
    private static final int LEAST_RUN_BYTES = 16 << 10;
    private static final int RUN_LENGTHS = 5;
    private static final double CHANGED_PART = 0.02;

    /** Makes them in a folder, unless they are there. */
    static ScaleImages in(Path folder, List<Path> from, long bytes, long seed)
            throws IOException, InterruptedException {
        var images = new ScaleImages(folder.resolve("v1.img"), folder.resolve("v2.img"), bytes);
        Path made = folder.resolve("made-of");
        String all = from + " " + bytes + " " + seed;
        if (Files.exists(made) && Files.readString(made).equals(all)) {
            return images;
        }
        Folders.delete(folder);
        Files.createDirectories(folder);
        System.err.println("making: two images of " + bytes / 1_000_000 + " MB of " + from + ", in " + folder);
        images.writeFirst(from, seed);
        images.writeSecond(seed);
        Files.writeString(made, all);
        return images;
    }

    private void writeFirst(List<Path> from, long seed) throws IOException, InterruptedException {
        var random = new Random(seed);
        byte[] segment = new byte[SEGMENT_BYTES];
        long written = 0;
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(first), SEGMENT_BYTES)) {
            for (int pass = 0; written < bytes; pass++) {
                long before = written;
                Process tar = tar(from);
                try (InputStream in = tar.getInputStream()) {
                    int read;
                    while (written < bytes && (read = in.readNBytes(segment, 0, SEGMENT_BYTES)) > 0) {
                        if (pass > 0) {
                            mask(segment, random.nextLong());
                        }
                        int taken = (int) Math.min(read, bytes - written);
                        out.write(segment, 0, taken);
                        written += taken;
                    }
                } finally {
                    tar.destroy();
                    tar.waitFor();
                }
                if (written == before) {
                    throw new IOException("there is nothing to make images of in " + from + ": name folders by --from");
                }
            }
        }
    }

    /** In an order that doesn't depend on the disk. What can't be read is left out. */
    private static Process tar(List<Path> from) throws IOException {
        var words = new ArrayList<>(List.of("tar", "--create", "--file=-", "--sort=name", "--absolute-names"));
        words.addAll(List.of("--ignore-failed-read", "--one-file-system"));
        from.forEach(folder -> words.add(folder.toString()));
        return new ProcessBuilder(words)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
    }

    private void writeSecond(long seed) throws IOException {
        var random = new Random(seed + 1);
        Files.copy(first, second, StandardCopyOption.REPLACE_EXISTING);
        long blocks = bytes / BLOCK_BYTES;
        try (var from = FileChannel.open(first);
                var to = FileChannel.open(second, StandardOpenOption.WRITE)) {
            for (long changed = 0; changed < bytes * CHANGED_PART; ) {
                int run = (int) Math.min(LEAST_RUN_BYTES << random.nextInt(RUN_LENGTHS), bytes / 2);
                long last = blocks - run / BLOCK_BYTES;
                byte[] content = read(from, random.nextLong(last) * BLOCK_BYTES, run);
                mask(content, random.nextLong());
                write(to, random.nextLong(last) * BLOCK_BYTES, content);
                changed += run;
            }
        }
    }

    /**
     * Deals the first image out, a MiB to each in turn, so that all are alike.
     *
     * @param count how many images
     * @param folder for them, made anew
     * @return the images, in all as long as the first
     */
    List<Path> dealt(int count, Path folder) throws IOException {
        Folders.delete(folder);
        Files.createDirectories(folder);
        var files = new ArrayList<Path>();
        var outs = new ArrayList<FileChannel>();
        try (var from = FileChannel.open(first)) {
            for (int i = 0; i < count; i++) {
                files.add(folder.resolve(String.format("image-%02d.img", i)));
                outs.add(FileChannel.open(files.get(i), StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE));
            }
            for (long at = 0, i = 0; at < bytes; at += SEGMENT_BYTES, i++) {
                long left = Math.min(SEGMENT_BYTES, bytes - at);
                FileChannel out = outs.get((int) (i % count));
                for (long done = 0; done < left; ) {
                    done += from.transferTo(at + done, left - done, out);
                }
            }
        } finally {
            for (FileChannel out : outs) {
                out.close();
            }
        }
        return files;
    }

    /** A run of bytes repeats after 8, so that what repeated in the content still does, mostly. */
    private static void mask(byte[] content, long mask) {
        for (int i = 0; i < content.length; i++) {
            content[i] ^= (byte) (mask >>> (8 * (i & 7)));
        }
    }

    private static byte[] read(FileChannel file, long at, int length) throws IOException {
        var bytes = ByteBuffer.allocate(length);
        while (bytes.hasRemaining()) {
            if (file.read(bytes, at + bytes.position()) < 0) {
                throw new IOException("an image ended while it was read");
            }
        }
        return bytes.array();
    }

    private static void write(FileChannel file, long at, byte[] content) throws IOException {
        var bytes = ByteBuffer.wrap(content);
        while (bytes.hasRemaining()) {
            file.write(bytes, at + bytes.position());
        }
    }
}
