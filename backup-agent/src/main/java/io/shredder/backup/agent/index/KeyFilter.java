// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import io.shredder.chunk.Fingerprint;

/**
 * A Bloom filter of a run's fingerprints in blocks of 64 bytes, so that a question touches one line of memory (Putze,
 * Sanders, Singler: Cache-, Hash- and Space-Efficient Bloom Filters, 2007). {@value #BITS_PER_KEY} bits a key; about
 * one absent key in a hundred passes. Blocks follow the order of the keys, so sorted questions walk through it, and
 * {@link FilterWriter} makes it block by block.
 */
final class KeyFilter {

    static final int BLOCK_WORDS = 8;

    private static final int BITS_PER_KEY = 10;
    private static final int BLOCK_BITS_LOG = 9;
    private static final int BITS_SET = 6;
    private static final long MIX = 0x9E3779B97F4A7C15L;
    private static final int PIECE_SHIFT = Integer.numberOfTrailingZeros(FilterMemory.PIECE_WORDS);

    private final long[][] pieces;
    private final int words;
    private final long blocks;

    /** Takes over pieces of {@link FilterMemory}, which hold the words of a filter that was written. */
    KeyFilter(long[][] pieces, int words) {
        this.pieces = pieces;
        this.words = words;
        this.blocks = words / BLOCK_WORDS;
    }

    /** How many words a filter for so many keys has. */
    static int words(long keys) {
        long bits = Math.max(1, keys) * BITS_PER_KEY;
        return Math.toIntExact(((bits - 1) >>> BLOCK_BITS_LOG) + 1) * BLOCK_WORDS;
    }

    /** The block, of so many, that a key with this prefix belongs to. */
    static long block(long prefix, long blocks) {
        return Math.multiplyHigh(prefix, blocks) + ((prefix >> 63) & blocks);
    }

    /** Sets a key's bits in its block. */
    static void set(long[] block, long prefix) {
        long bits = prefix * MIX;
        for (int i = 0; i < BITS_SET; i++) {
            block[wordIn(bits)] |= 1L << bits;
            bits >>>= BLOCK_BITS_LOG;
        }
    }

    /** False only if the key was never added. */
    boolean mayContain(Fingerprint key) {
        int at = (int) block(key.prefix(), blocks) * BLOCK_WORDS;
        long[] piece = pieces[at >>> PIECE_SHIFT];
        int block = at & (FilterMemory.PIECE_WORDS - 1);
        long bits = key.prefix() * MIX;
        for (int i = 0; i < BITS_SET; i++) {
            if ((piece[block + wordIn(bits)] & 1L << bits) == 0) {
                return false;
            }
            bits >>>= BLOCK_BITS_LOG;
        }
        return true;
    }

    /** Memory held. */
    long bytes() {
        return (long) words * Long.BYTES;
    }

    /** What it was made of; nobody may ask it any more. */
    long[][] pieces() {
        return pieces;
    }

    private static int wordIn(long bits) {
        return (int) (bits >>> 6) & (BLOCK_WORDS - 1);
    }
}
