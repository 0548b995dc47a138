// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.corpus;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;

/**
 * Bytes that look random and that a seed and their place alone decide, so that any stretch can be made again by itself.
 * Each eight are SplitMix64's output for their number (Steele, Lea, Flood, Fast Splittable Pseudorandom Number
 * Generators, 2014). Thread-safe.
 */
public final class SeededBytes {
    private static final int PIECE_BYTES = 1 << 18;
    private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

    private SeededBytes() {}

    /**
     * Writes a stretch.
     *
     * @param from place of its first byte under the seed
     */
    public static void write(OutputStream out, long seed, long from, long length) throws IOException {
        long start = mixed(seed);
        long word = from / Long.BYTES;
        int skipped = (int) (from % Long.BYTES);
        ByteBuffer piece = ByteBuffer.allocate((int) Math.min(PIECE_BYTES, wholeWords(skipped + length)));
        for (long left = length; left > 0; skipped = 0) {
            int bytes = (int) Math.min(piece.capacity(), wholeWords(skipped + left));
            for (int at = 0; at < bytes; at += Long.BYTES) {
                piece.putLong(at, mixed(start + word * GOLDEN_GAMMA));
                word++;
            }
            int written = (int) Math.min(left, bytes - skipped);
            out.write(piece.array(), skipped, written);
            left -= written;
        }
    }

    private static long wholeWords(long bytes) {
        return (bytes + Long.BYTES - 1) / Long.BYTES * Long.BYTES;
    }

    private static long mixed(long number) {
        long first = (number ^ (number >>> 30)) * 0xBF58476D1CE4E5B9L;
        long second = (first ^ (first >>> 27)) * 0x94D049BB133111EBL;
        return second ^ (second >>> 31);
    }
}
