// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.coding;

import java.util.ArrayList;
import java.util.Random;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The cases in which coders that have the same matrix must compute the same parity. */
public final class IdentityCases {
    private static final int MOST_SHARDS = 256;
    private static final int SMALL = 16;
    private static final int LONGEST = 4096;
    private static final int ALIGNMENTS = 64;

    /** Small ones, and one that the engine codes by the transform. */
    private static final int[][] SHAPES = {{6, 3}, {17, 3}, {32, 16}};

    /** Vectors of 16 to 128 bytes, whole, one less and one more, and lengths between. */
    private static final int[] LENGTHS = {1, 15, 16, 31, 33, 64, 127, 129, 1000, LONGEST};

    /** All shards alike, each a byte further, and as vectors of 16 bytes can be. */
    private static final int[] STEPS = {0, 1, 16, 37};

    private final Random random;

    public IdentityCases(long seed) {
        this.random = new Random(seed);
    }

    /** Every (k,m) to (16,16), in ten lengths. */
    public Stream<DigestCase> smallShapes() {
        return IntStream.rangeClosed(1, SMALL).boxed().flatMap(data -> IntStream.rangeClosed(1, SMALL)
                .boxed()
                .flatMap(parity -> IntStream.of(LENGTHS).mapToObj(bytes -> placed(data, parity, bytes))));
    }

    /** So many shapes beyond those, up to 256 shards, of any length. */
    public Stream<DigestCase> largerShapes(int count) {
        var cases = new ArrayList<DigestCase>();
        while (cases.size() < count) {
            int data = 1 + random.nextInt(MOST_SHARDS - 1);
            int parity = 1 + random.nextInt(MOST_SHARDS - data);
            if (data > SMALL || parity > SMALL) {
                cases.add(placed(data, parity, 1 + random.nextInt(LONGEST)));
            }
        }
        return cases.stream();
    }

    /** Every length from 1 to 4,096, of three shapes. */
    public Stream<DigestCase> lengths() {
        return Stream.of(SHAPES).flatMap(shape -> IntStream.rangeClosed(1, LONGEST)
                .mapToObj(bytes -> placed(shape[0], shape[1], bytes)));
    }

    /** Every place of the first shard, and four of the others to it, of three shapes. */
    public Stream<DigestCase> alignments() {
        return Stream.of(SHAPES)
                .flatMap(shape -> IntStream.range(0, ALIGNMENTS).boxed().flatMap(offset -> IntStream.of(STEPS)
                        .mapToObj(step -> new DigestCase(
                                shape[0],
                                shape[1],
                                1 + random.nextInt(LONGEST),
                                offset,
                                step,
                                random.nextInt(1 << 20)))));
    }

    private DigestCase placed(int data, int parity, int bytes) {
        return new DigestCase(
                data, parity, bytes, random.nextInt(ALIGNMENTS), random.nextInt(ALIGNMENTS), random.nextInt(1 << 20));
    }
}
