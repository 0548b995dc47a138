// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.open;

import io.shredder.it.open.export.OtherPrograms;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;

/** Images as disks have them: file systems with files in them, partitions, holes, terabytes of nothing. */
final class OpenImages {
    private static final long MIB = 1 << 20;
    private static final long LARGE = 4L << 40;
    private static final int PIECES = 12;

    private final Path folder;

    /** @param folder where they are made */
    OpenImages(Path folder) {
        this.folder = folder;
    }

    /** Runs a program that makes one. */
    interface Maker {
        void run(String... words) throws IOException, InterruptedException;
    }

    /** All that the programs of this machine can make, by name. */
    Map<String, Path> make(Maker maker) throws IOException, InterruptedException {
        Map<String, Path> images = new TreeMap<>();
        for (List<String> words : List.of(
                List.of("ext4", "mkfs.ext4", "-q", "-F"),
                List.of("xfs", "mkfs.xfs", "-q", "-f"),
                List.of("ntfs", "mkfs.ntfs", "-Q", "-F", "-q"))) {
            if (OtherPrograms.has(words.get(1))) {
                Path image = sparse(words.get(0), 700 * MIB + (words.get(0).equals("ext4") ? 777 : 0));
                String[] command = java.util.stream.Stream.concat(
                                words.stream().skip(1), java.util.stream.Stream.of(image.toString()))
                        .toArray(String[]::new);
                maker.run(command);
                fill(image, 400 * MIB, 200 * MIB, new Random(images.size()));
                images.put(words.get(0), image);
            }
        }
        if (OtherPrograms.has("parted")) {
            Path image = sparse("partitions", 300 * MIB);
            maker.run(
                    "parted",
                    "-s",
                    image.toString(),
                    "mklabel",
                    "gpt",
                    "mkpart",
                    "a",
                    "1MiB",
                    "100MiB",
                    "mkpart",
                    "b",
                    "100MiB",
                    "299MiB");
            fill(image, 10 * MIB, 200 * MIB, new Random(9));
            images.put("partitions", image);
        }
        Path large = sparse("4-terabytes", LARGE);
        fill(large, LARGE / 3, 300 * MIB, new Random(10));
        images.put("4-terabytes", large);
        return images;
    }

    private Path sparse(String name, long bytes) throws IOException {
        Path image = folder.resolve(name + ".img");
        try (FileChannel file = FileChannel.open(image, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            file.write(ByteBuffer.wrap(new byte[1]), bytes - 1);
        }
        return image;
    }

    /** Random bytes in pieces, with holes between. */
    private static void fill(Path image, long from, long bytes, Random random) throws IOException {
        try (FileChannel file = FileChannel.open(image, StandardOpenOption.WRITE)) {
            byte[] piece = new byte[(int) (bytes / PIECES / 2)];
            for (int i = 0; i < PIECES; i++) {
                random.nextBytes(piece);
                file.write(ByteBuffer.wrap(piece), from + i * (bytes / PIECES));
            }
        }
    }
}
