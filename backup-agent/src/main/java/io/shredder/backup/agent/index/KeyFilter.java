// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import io.shredder.chunk.Fingerprint;

/**
 * A Bloom filter of a run's fingerprints in blocks of 64 bytes, so that a question touches one line of memory (Putze, Sanders, Singler:
 * Cache-, Hash- and Space-Efficient Bloom Filters, 2007). {@value #BITS_PER_KEY} bits a key; about one absent key in a hundred passes.
 * Blocks follow the order of the keys, so sorted questions walk through it.
 */
final class KeyFilter {

    private static final int BITS_PER_KEY = 10;
    private static final int BLOCK_WORDS = 8;
    private static final int BLOCK_BITS_LOG = 9;
    private static final int BITS_SET = 6;
    private static final long MIX = 0x9E3779B97F4A7C15L;

    private final long[] words;
    private final long blocks;

    /** Takes over the words of a filter that was written. */
    KeyFilter(long[] words) {
        this.words = words;
        this.blocks = words.length / BLOCK_WORDS;
    }

    /** How many words a filter for so many keys has. */
    static int words(long keys) {
        long bits = Math.max(1, keys) * BITS_PER_KEY;
        return Math.toIntExact(((bits - 1) >>> BLOCK_BITS_LOG) + 1) * BLOCK_WORDS;
    }

    static KeyFilter forKeys(long keys) {
        return new KeyFilter(new long[words(keys)]);
    }

    void add(Fingerprint key) {
        int block = block(key.prefix());
        long bits = key.prefix() * MIX;
        for (int i = 0; i < BITS_SET; i++) {
            words[block + wordIn(bits)] |= 1L << bits;
            bits >>>= BLOCK_BITS_LOG;
        }
    }

    /** False only if the key was never added. */
    boolean mayContain(Fingerprint key) {
        int block = block(key.prefix());
        long bits = key.prefix() * MIX;
        for (int i = 0; i < BITS_SET; i++) {
            if ((words[block + wordIn(bits)] & 1L << bits) == 0) {
                return false;
            }
            bits >>>= BLOCK_BITS_LOG;
        }
        return true;
    }

    /** Memory held. */
    long bytes() {
        return (long) words.length * Long.BYTES;
    }

    long word(int index) {
        return words[index];
    }

    int wordCount() {
        return words.length;
    }

    private int block(long prefix) {
        long high = Math.multiplyHigh(prefix, blocks) + ((prefix >> 63) & blocks);
        return (int) high * BLOCK_WORDS;
    }

    private static int wordIn(long bits) {
        return (int) (bits >>> 6) & (BLOCK_WORDS - 1);
    }
}
