// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import io.shredder.chunk.Fingerprint;

/**
 * One of several equal parts of all fingerprints: those that begin with the same bits. As fingerprints are uniform, so
 * many threads can go through an index, a part each.
 *
 * @param number of the part, from 0
 * @param bits how many decide: there are 2^bits parts
 */
public record KeyPart(int number, int bits) {

    /** All fingerprints. */
    public static final KeyPart ALL = new KeyPart(0, 0);

    private static final int MAX_BITS = 16;

    /** Refuses parts that don't exist. */
    public KeyPart {
        if (bits < 0 || bits > MAX_BITS || number < 0 || number >= 1 << bits) {
            throw new IllegalArgumentException("part " + number + " of 2^" + bits);
        }
    }

    /** How many bits make at least so many parts. */
    public static int bitsFor(int parts) {
        return Math.min(MAX_BITS, Integer.SIZE - Integer.numberOfLeadingZeros(parts - 1));
    }

    /** Whether a fingerprint is in this part. */
    public boolean contains(Fingerprint fingerprint) {
        return numberOf(fingerprint) == number;
    }

    /** Whether a fingerprint is behind all of this part. */
    boolean endsBefore(Fingerprint fingerprint) {
        return numberOf(fingerprint) > number;
    }

    /** The least prefix in it. */
    long firstPrefix() {
        return bits == 0 ? 0 : (long) number << (Long.SIZE - bits);
    }

    private int numberOf(Fingerprint fingerprint) {
        return bits == 0 ? 0 : (int) (fingerprint.prefix() >>> (Long.SIZE - bits));
    }
}
