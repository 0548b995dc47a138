// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.corpus;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;

/**
 * Images that are more or less like a master image, as in the Shredder paper's backup experiment (section 7.3): the
 * master is divided into segments, and a similarity table holds for each the probability that other content takes its
 * place.
 *
 * <p>Master and other content are segments of a real disk without those that hold only zeros. Other content has each
 * byte XORed with a number of its own, so that it is never the same twice and yet as compressible. For one thread.
 */
public final class SimilarImages {
    /** Bytes of a segment. */
    public static final int SEGMENT_BYTES = 1 << 20;

    private static final int MOST_OTHERS = 256;

    private final Path master;
    private final Path others;
    private final int segments;
    private final int otherSegments;

    private SimilarImages(Path master, Path others, int segments, int otherSegments) {
        this.master = master;
        this.others = others;
        this.segments = segments;
        this.otherSegments = otherSegments;
    }

    /**
     * Takes master and other content from a disk.
     *
     * @param folder for both
     * @param bytes of the master; whole segments are used
     */
    public static SimilarImages of(Path disk, Path folder, long bytes) throws IOException {
        Path master = folder.resolve("master.img");
        Path others = folder.resolve("others.img");
        int wanted = Math.toIntExact(bytes / SEGMENT_BYTES);
        int taken = 0;
        try (InputStream in = Files.newInputStream(disk);
                OutputStream masterOut = new BufferedOutputStream(Files.newOutputStream(master), SEGMENT_BYTES);
                OutputStream othersOut = new BufferedOutputStream(Files.newOutputStream(others), SEGMENT_BYTES)) {
            byte[] zeros = new byte[SEGMENT_BYTES];
            byte[] segment = new byte[SEGMENT_BYTES];
            while (taken < wanted + MOST_OTHERS && in.readNBytes(segment, 0, SEGMENT_BYTES) == SEGMENT_BYTES) {
                if (!Arrays.equals(segment, zeros)) {
                    (taken < wanted ? masterOut : othersOut).write(segment);
                    taken++;
                }
            }
        }
        if (taken <= wanted) {
            throw new IOException(disk + " has only " + taken + " segments of 1 MiB that hold anything; a master of "
                    + wanted + " needs more: take a smaller one");
        }
        return new SimilarImages(master, others, wanted, taken - wanted);
    }

    /** The image that all others are like. */
    public Path master() {
        return master;
    }

    /** How many segments an image has. */
    public int segments() {
        return segments;
    }

    /**
     * A table in which every segment is as likely to be replaced.
     *
     * @param similarity expected part of the image that stays, 0 to 1
     */
    public double[] table(double similarity) {
        double[] table = new double[segments];
        Arrays.fill(table, 1 - similarity);
        return table;
    }

    /**
     * Writes an image and returns how many of its segments are the master's.
     *
     * @param table a segment's probability to be replaced, by its number
     * @param seed decides which are, and by what; no seed gives content that another one gives
     */
    public int write(Path image, double[] table, long seed) throws IOException {
        if (table.length != segments) {
            throw new IllegalArgumentException(table.length + " probabilities for " + segments + " segments");
        }
        var random = new Random(seed);
        int kept = 0;
        try (var from = FileChannel.open(master);
                var other = FileChannel.open(others);
                OutputStream out = new BufferedOutputStream(Files.newOutputStream(image), SEGMENT_BYTES)) {
            for (int i = 0; i < segments; i++) {
                boolean replaced = random.nextDouble() < table[i];
                out.write(replaced ? otherContent(other, random) : segment(from, i));
                kept += replaced ? 0 : 1;
            }
        }
        return kept;
    }

    /** A run of bytes repeats after 8, so that what repeated in the content still does, mostly. */
    private byte[] otherContent(FileChannel other, Random random) throws IOException {
        byte[] content = segment(other, random.nextInt(otherSegments));
        byte[] mask = new byte[8];
        random.nextBytes(mask);
        for (int i = 0; i < content.length; i++) {
            content[i] ^= mask[i & 7];
        }
        return content;
    }

    private static byte[] segment(FileChannel file, int number) throws IOException {
        var segment = ByteBuffer.allocate(SEGMENT_BYTES);
        while (segment.hasRemaining()) {
            if (file.read(segment, (long) number * SEGMENT_BYTES + segment.position()) < 0) {
                throw new IOException("segment " + number + " is not there");
            }
        }
        return segment.array();
    }
}
