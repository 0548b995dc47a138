// SPDX-License-Identifier: Apache-2.0
package io.shredder.chunk;

/**
 * The Rabin fingerprint of the last 48 bytes of a stream, rolled byte by byte with two tables, for any polynomial. The
 * readable twin of every fast scan: {@code docs/formats/chunking.md}, section 1.
 *
 * <p>Not safe for use by several threads.
 */
final class RabinWindow {

    private static final int WINDOW_BYTES = ChunkingParams.WINDOW_BYTES;
    private static final long STATE_MASK = (1L << Polynomial.DEGREE) - 1;

    /** For each top byte t of the state: t * x^48 mod P, to be added when t is shifted out. */
    private final long[] reduced = new long[256];

    /** For each byte v: v * x^384 mod P, what v amounts to one step after it was the window's oldest. */
    private final long[] leaving = new long[256];

    private final byte[] window = new byte[WINDOW_BYTES];
    private int oldest;
    private long fingerprint;

    RabinWindow(Polynomial polynomial) {
        for (int value = 0; value < 256; value++) {
            reduced[value] = timesPowerOfX(value, Polynomial.DEGREE, polynomial.bits());
            leaving[value] = timesPowerOfX(value, 8 * WINDOW_BYTES, polynomial.bits());
        }
    }

    private static long timesPowerOfX(long value, int power, long p) {
        long product = value;
        for (int i = 0; i < power; i++) {
            product = Polynomial.timesX(product, p);
        }
        return product;
    }

    /** Lets {@code value} into the window and the oldest byte out, and returns the window's fingerprint. */
    long roll(byte value) {
        int top = (int) (fingerprint >>> (Polynomial.DEGREE - 8));
        int out = window[oldest] & 0xFF;
        fingerprint = (((fingerprint << 8) & STATE_MASK) | (value & 0xFF)) ^ reduced[top] ^ leaving[out];
        window[oldest] = value;
        oldest = (oldest + 1) % WINDOW_BYTES;
        return fingerprint;
    }
}
