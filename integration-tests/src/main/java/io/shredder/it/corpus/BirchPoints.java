// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.corpus;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.Random;

/**
 * The standard data set DS1 of BIRCH (Zhang, Ramakrishnan, Livny, SIGMOD 1996, section 6.2), with as many points as
 * fill a file. It has 100 normal clusters of radius sqrt(2) in two dimensions, their centres on a grid 4 sqrt(2) apart,
 * points in random order. A line of text a point, three decimal places.
 */
public final class BirchPoints implements NewLines {
    /** Clusters of the set. */
    public static final int CLUSTERS = 100;

    /** Makes points for an editor. */
    public static final NewLines NEW_LINES = new BirchPoints();

    private static final int GRID_SIDE = 10;
    private static final double SPACING = 4 * Math.sqrt(2);
    /** A radius of sqrt(2) is the root mean squared distance to the centre: a deviation of 1 per dimension. */
    private static final double DEVIATION = 1;

    private static final long SEED = 1996;
    private static final int PIECE_BYTES = 1 << 20;

    private BirchPoints() {}

    /** Returns the points' file in the cache folder, making it if it is not there; its last line is whole. */
    public static Path in(Path cache, long bytes) throws IOException {
        Path points = cache.resolve("birch-ds1-" + bytes + ".txt");
        if (!Files.exists(points)) {
            Path partial = cache.resolve("birch-ds1.partial");
            var random = new Random(SEED);
            try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(partial))) {
                for (long left = bytes; left > 0; left -= PIECE_BYTES) {
                    out.write(NEW_LINES.lines((int) Math.min(PIECE_BYTES, left), random));
                }
            }
            Files.move(partial, points, StandardCopyOption.ATOMIC_MOVE);
        }
        return points;
    }

    /** So many points of the same distribution, a line each: first centroids, or queries. */
    public static String sample(int points, long seed) {
        var random = new Random(seed);
        var lines = new StringBuilder();
        for (int i = 0; i < points; i++) {
            append(lines, random);
        }
        return lines.toString();
    }

    @Override
    public byte[] lines(int bytes, Random random) {
        var lines = new StringBuilder(bytes + 40);
        while (lines.length() < bytes) {
            append(lines, random);
        }
        return lines.toString().getBytes(StandardCharsets.US_ASCII);
    }

    /** Other points in the place of these. */
    @Override
    public byte[] rewritten(byte[] lines, Random random) {
        return lines(lines.length, random);
    }

    private static void append(StringBuilder lines, Random random) {
        int column = random.nextInt(GRID_SIDE);
        int row = random.nextInt(GRID_SIDE);
        append(lines, column * SPACING + DEVIATION * random.nextGaussian());
        lines.append(' ');
        append(lines, row * SPACING + DEVIATION * random.nextGaussian());
        lines.append('\n');
    }

    /** Three decimal places; by hand, for there are a hundred million of them. */
    private static void append(StringBuilder line, double coordinate) {
        long thousandths = Math.round(coordinate * 1000);
        if (thousandths < 0) {
            line.append('-');
        }
        long rest = Math.abs(thousandths);
        line.append(rest / 1000).append('.');
        line.append((char) ('0' + rest / 100 % 10)).append((char) ('0' + rest / 10 % 10));
        line.append((char) ('0' + rest % 10));
    }
}
