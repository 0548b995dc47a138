// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.corpus;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * One of a series of a process's images, in the manner of the checkpoints of BLAST in Al-Kiswany, Gharaibeh, Ripeanu
 * (HashGPU and MosaStore, figure 11): of the next one, fixed blocks find 21 to 23 % again and blocks by content 76 to
 * 90 %. What comes first in memory stays where it is. Behind it something is inserted, so all else is at another place;
 * further on something goes, something more is inserted, and one long stretch is overwritten. Contents are
 * {@link SeededBytes}. Immutable.
 */
public final class CheckpointImage {
    /** Images of a multiple of so many bytes stay as they are up to a border of blocks of 4 MiB. */
    public static final long UNIT_BYTES = 128L << 20;

    private static final int CALM_OF_32 = 7;
    private static final double OVERWRITTEN = 0.105;
    private static final int FIRST_SHIFT_BYTES = 32 << 10;
    private static final int LATER_SHIFT_BYTES = 8 << 10;
    private static final int PAGE_BYTES = 4 << 10;

    private final long seed;
    private final long firstBytes;
    private final int number;
    private final List<Stretch> stretches;

    /** Bytes of a seed, from a place on. */
    private record Stretch(long seed, long from, long length) {}

    private CheckpointImage(long seed, long firstBytes, int number, List<Stretch> stretches) {
        this.seed = seed;
        this.firstBytes = firstBytes;
        this.number = number;
        this.stretches = List.copyOf(stretches);
    }

    /**
     * The first of a series.
     *
     * @param bytes of it; later ones are longer by some 50 KiB each
     */
    public static CheckpointImage first(long seed, long bytes) {
        if (bytes < 1 << 20) {
            throw new IllegalArgumentException("a process's image of " + bytes + " bytes: give 1 MiB or more");
        }
        return new CheckpointImage(seed, bytes, 0, List.of(new Stretch(seed, 0, bytes)));
    }

    /** The next of the series. */
    public CheckpointImage next() {
        var random = new SplittableRandom(seed * 1_000_003 + number + 1);
        long calm = firstBytes / 32 * CALM_OF_32;
        long overwritten = (long) (firstBytes * OVERWRITTEN);
        var edited = new Edited(stretches, random);
        edited.insert(calm + 1 + random.nextInt(PAGE_BYTES), odd(random, FIRST_SHIFT_BYTES));
        edited.remove(placeBehind(calm, edited, random), odd(random, LATER_SHIFT_BYTES));
        edited.insert(placeBehind(calm, edited, random), odd(random, LATER_SHIFT_BYTES));
        long from = calm + random.nextLong(edited.length() - calm - overwritten);
        edited.remove(from, overwritten);
        edited.insert(from, overwritten);
        return new CheckpointImage(seed, firstBytes, number + 1, edited.stretches);
    }

    /** Shifts of odd lengths never add up to whole blocks: together they are between 16 and 80 KiB. */
    private static long odd(SplittableRandom random, int least) {
        return 1 + 2 * random.nextLong(least / 2, least);
    }

    private static long placeBehind(long calm, Edited edited, SplittableRandom random) {
        return random.nextLong(calm + PAGE_BYTES + FIRST_SHIFT_BYTES, edited.length() - 2 * LATER_SHIFT_BYTES);
    }

    /** Writes it to a file. */
    public void write(Path file) throws IOException {
        try (OutputStream out = Files.newOutputStream(file)) {
            for (Stretch stretch : stretches) {
                SeededBytes.write(out, stretch.seed, stretch.from, stretch.length);
            }
        }
    }

    /** A list of stretches that is being changed. */
    private static final class Edited {
        private final List<Stretch> stretches;
        private final SplittableRandom random;

        Edited(List<Stretch> stretches, SplittableRandom random) {
            this.stretches = new ArrayList<>(stretches);
            this.random = random;
        }

        long length() {
            return stretches.stream().mapToLong(Stretch::length).sum();
        }

        void insert(long at, long length) {
            stretches.add(split(at), new Stretch(random.nextLong(), 0, length));
        }

        void remove(long at, long length) {
            int first = split(at);
            stretches.subList(first, split(at + length)).clear();
        }

        /** Has a stretch begin at this place; returns its number. */
        private int split(long at) {
            long before = 0;
            for (int i = 0; i < stretches.size(); i++) {
                Stretch stretch = stretches.get(i);
                if (before == at) {
                    return i;
                }
                long head = at - before;
                if (head < stretch.length) {
                    stretches.set(i, new Stretch(stretch.seed, stretch.from, head));
                    stretches.add(i + 1, new Stretch(stretch.seed, stretch.from + head, stretch.length - head));
                    return i + 1;
                }
                before += stretch.length;
            }
            return stretches.size();
        }
    }
}
