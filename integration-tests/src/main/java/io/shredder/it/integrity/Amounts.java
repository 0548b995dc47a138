// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.integrity;

import java.util.List;

/**
 * How much is written.
 *
 * @param sizes of files, in bytes
 * @param cellBytes that are written at most in one cell, in files of one size; at most the paper's 40 of them
 * @param rounds of everything but neighbours, medians count
 * @param images of a process, of which the first isn't timed
 * @param imageBytes of each
 * @param imageBlocks sizes of blocks into which they are cut, in bytes
 * @param neighbourSeconds for which each cell beside a neighbour is timed at least
 */
record Amounts(
        List<Long> sizes,
        long cellBytes,
        int rounds,
        int images,
        long imageBytes,
        List<Integer> imageBlocks,
        double neighbourSeconds) {
    private static final int MOST_FILES = 40;
    private static final long MIB = 1 << 20;

    Amounts {
        sizes = List.copyOf(sizes);
        imageBlocks = List.copyOf(imageBlocks);
        if (rounds < 1) {
            throw new IllegalArgumentException("--rounds is " + rounds + ": give 1 or more");
        }
    }

    /** All figures, in half an hour or more on two cores. */
    static Amounts usual() {
        return new Amounts(
                List.of(MIB, 4 * MIB, 16 * MIB, 64 * MIB, 256 * MIB),
                512 * MIB,
                3,
                4,
                256 * MIB,
                List.of(256 << 10, 1 << 20, 4 << 20),
                8);
    }

    /** A look in four minutes. */
    static Amounts quick() {
        return new Amounts(List.of(4 * MIB, 64 * MIB), 128 * MIB, 1, 3, 128 * MIB, List.of(256 << 10, 1 << 20), 1);
    }

    /** The same with other sizes of files. */
    Amounts withSizes(List<Long> others) {
        return new Amounts(others, cellBytes, rounds, images, imageBytes, imageBlocks, neighbourSeconds);
    }

    /** The same with so many rounds. */
    Amounts withRounds(int others) {
        return new Amounts(sizes, cellBytes, others, images, imageBytes, imageBlocks, neighbourSeconds);
    }

    /** How many files of one size are written in a cell. */
    int files(long size) {
        return (int) Math.max(1, Math.min(MOST_FILES, cellBytes / size));
    }

    /**
     * What files and stores take at most at once: all of a cell's files are sent by up to five variants, by four of
     * them cut in two ways; of images most is sent by each, and neighbours' cells end after 2 GiB.
     */
    long workBytes() {
        long files = 10 * Math.max(cellBytes, largest());
        long checkpoints = imageBytes * images * 6;
        return Math.max(files, checkpoints);
    }

    /** The largest file. */
    long largest() {
        return sizes.stream().mapToLong(Long::longValue).max().orElseThrow();
    }
}
