// SPDX-License-Identifier: Apache-2.0
package io.shredder.chunk;

import java.security.MessageDigest;
import java.util.Arrays;

/**
 * BLAKE3 with 32 bytes of output, without a key: the readable reference that the engine's fast forms must equal.
 * Source: O'Connor, Aumasson, Neves, Wilcox-O'Hearn, "BLAKE3: one function, fast everywhere", sections 2.1 to 2.5.
 *
 * <p>The input is cut into pieces of 1,024 bytes, the leaves of a binary tree, each hashed in up to 16 blocks of 64
 * bytes. A parent hashes its two children's chaining values; a left subtree is always the largest complete one that
 * leaves bytes for the right. So after n leaves the roots of complete subtrees that wait for a right sibling are the 1
 * bits of n, largest first: a stack ({@link #pending}). A block, and with it a leaf, is worked on only when a byte
 * after it is there, because the last of all is marked as the root.
 *
 * <p>Not safe for use by several threads. Far slower than the engine: for references, checks and short inputs.
 */
final class Blake3 extends MessageDigest {

    private static final int DIGEST_BYTES = 32;
    private static final int BLOCK_BYTES = 64;
    private static final int BLOCKS_IN_LEAF = 16;
    private static final int ROUNDS = 7;
    private static final int CHAIN_WORDS = 8;

    /** Complete subtrees of 2^63 bytes and less, by doubling: one for each size from a leaf up. */
    private static final int MAX_PENDING = 54;

    private static final int LEAF_START = 1;
    private static final int LEAF_END = 2;
    private static final int PARENT = 4;
    private static final int ROOT = 8;

    /** The fractional parts of the square roots of the first eight primes, as in SHA-256. */
    private static final int[] INITIAL = {
        0x6A09E667, 0xBB67AE85, 0x3C6EF372, 0xA54FF53A, 0x510E527F, 0x9B05688C, 0x1F83D9AB, 0x5BE0CD19
    };

    /** How the message words are rearranged from one round to the next. */
    private static final int[] PERMUTATION = {2, 6, 3, 10, 7, 0, 4, 13, 1, 11, 12, 5, 9, 14, 15, 8};

    /** Which message word stands at each place of each round. */
    private static final int[][] SCHEDULE = schedule();

    private final byte[] block = new byte[BLOCK_BYTES];
    private int blockBytes;
    private int blocksBefore;
    private final int[] chain = new int[CHAIN_WORDS];
    private long leaf;
    private final int[][] pending = new int[MAX_PENDING][CHAIN_WORDS];
    private int pendingCount;

    private final int[] words = new int[16];
    private final int[] state = new int[16];

    Blake3() {
        super("BLAKE3");
        engineReset();
    }

    private static int[][] schedule() {
        int[][] schedule = new int[ROUNDS][16];
        for (int place = 0; place < 16; place++) {
            int word = place;
            for (int round = 0; round < ROUNDS; round++) {
                schedule[round][place] = word;
                word = PERMUTATION[word];
            }
        }
        return schedule;
    }

    @Override
    protected void engineReset() {
        blockBytes = 0;
        leaf = 0;
        pendingCount = 0;
        startLeaf();
    }

    @Override
    protected int engineGetDigestLength() {
        return DIGEST_BYTES;
    }

    @Override
    protected void engineUpdate(byte input) {
        makeRoom();
        block[blockBytes++] = input;
    }

    @Override
    protected void engineUpdate(byte[] input, int offset, int length) {
        int end = offset + length;
        for (int position = offset; position < end; ) {
            makeRoom();
            int size = Math.min(BLOCK_BYTES - blockBytes, end - position);
            System.arraycopy(input, position, block, blockBytes, size);
            blockBytes += size;
            position += size;
        }
    }

    @Override
    protected byte[] engineDigest() {
        int leafFlags = leafFlags() | LEAF_END;
        boolean single = pendingCount == 0;
        loadBlock();
        compress(chain, leaf, blockBytes, single ? leafFlags | ROOT : leafFlags);
        while (pendingCount > 0) {
            joinLastPending(pendingCount == 1 ? PARENT | ROOT : PARENT);
        }
        byte[] digest = new byte[DIGEST_BYTES];
        for (int i = 0; i < DIGEST_BYTES; i++) {
            digest[i] = (byte) (chain[i / 4] >>> (8 * (i % 4)));
        }
        engineReset();
        return digest;
    }

    /** Called when there is one more byte: a full block is certainly not the last. */
    private void makeRoom() {
        if (blockBytes < BLOCK_BYTES) {
            return;
        }
        boolean lastOfLeaf = blocksBefore == BLOCKS_IN_LEAF - 1;
        loadBlock();
        compress(chain, leaf, BLOCK_BYTES, lastOfLeaf ? leafFlags() | LEAF_END : leafFlags());
        blockBytes = 0;
        blocksBefore++;
        if (lastOfLeaf) {
            endLeaf();
        }
    }

    private int leafFlags() {
        return blocksBefore == 0 ? LEAF_START : 0;
    }

    private void startLeaf() {
        System.arraycopy(INITIAL, 0, chain, 0, CHAIN_WORDS);
        blocksBefore = 0;
    }

    /** The leaf's value joins the complete subtrees on its left, one for each trailing 0 bit of the new leaf count. */
    private void endLeaf() {
        leaf++;
        for (long leaves = leaf; (leaves & 1) == 0; leaves >>>= 1) {
            joinLastPending(PARENT);
        }
        System.arraycopy(chain, 0, pending[pendingCount], 0, CHAIN_WORDS);
        pendingCount++;
        startLeaf();
    }

    /** Makes {@link #chain} the parent's value: the last pending subtree on the left, {@code chain} on the right. */
    private void joinLastPending(int flags) {
        pendingCount--;
        System.arraycopy(pending[pendingCount], 0, words, 0, CHAIN_WORDS);
        System.arraycopy(chain, 0, words, CHAIN_WORDS, CHAIN_WORDS);
        System.arraycopy(INITIAL, 0, chain, 0, CHAIN_WORDS);
        compress(chain, 0, BLOCK_BYTES, flags);
    }

    /**
     * The block as little-endian message words, padded with zeros. Byte by byte, as is the digest's writing: with int
     * views of byte arrays HotSpot 17 compiles such loops wrongly now and then (the second half of a digest stayed 0).
     */
    private void loadBlock() {
        Arrays.fill(block, blockBytes, BLOCK_BYTES, (byte) 0);
        for (int i = 0; i < words.length; i++) {
            int at = 4 * i;
            words[i] = (block[at] & 0xFF)
                    | ((block[at + 1] & 0xFF) << 8)
                    | ((block[at + 2] & 0xFF) << 16)
                    | (block[at + 3] << 24);
        }
    }

    /** The compression function (section 2.2) of {@link #words} onto {@code value}; keeps its output's first half. */
    private void compress(int[] value, long counter, int length, int flags) {
        int[] v = state;
        System.arraycopy(value, 0, v, 0, CHAIN_WORDS);
        System.arraycopy(INITIAL, 0, v, CHAIN_WORDS, 4);
        v[12] = (int) counter;
        v[13] = (int) (counter >>> 32);
        v[14] = length;
        v[15] = flags;
        for (int[] order : SCHEDULE) {
            round(v, words, order);
        }
        for (int i = 0; i < CHAIN_WORDS; i++) {
            value[i] = v[i] ^ v[i + CHAIN_WORDS];
        }
    }

    /** Mixes the columns of the 4 x 4 state, then its diagonals. */
    private static void round(int[] v, int[] m, int[] order) {
        mix(v, 0, 4, 8, 12, m[order[0]], m[order[1]]);
        mix(v, 1, 5, 9, 13, m[order[2]], m[order[3]]);
        mix(v, 2, 6, 10, 14, m[order[4]], m[order[5]]);
        mix(v, 3, 7, 11, 15, m[order[6]], m[order[7]]);
        mix(v, 0, 5, 10, 15, m[order[8]], m[order[9]]);
        mix(v, 1, 6, 11, 12, m[order[10]], m[order[11]]);
        mix(v, 2, 7, 8, 13, m[order[12]], m[order[13]]);
        mix(v, 3, 4, 9, 14, m[order[14]], m[order[15]]);
    }

    private static void mix(int[] v, int a, int b, int c, int d, int x, int y) {
        v[a] += v[b] + x;
        v[d] = Integer.rotateRight(v[d] ^ v[a], 16);
        v[c] += v[d];
        v[b] = Integer.rotateRight(v[b] ^ v[c], 12);
        v[a] += v[b] + y;
        v[d] = Integer.rotateRight(v[d] ^ v[a], 8);
        v[c] += v[d];
        v[b] = Integer.rotateRight(v[b] ^ v[c], 7);
    }
}
