// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import io.shredder.backup.agent.index.BulkCipher.Messages;
import java.util.Arrays;
import java.util.Random;
import java.util.function.Function;

/** Seals by a {@link BulkCipher}, the same bytes as {@link AesGcmSealing}'s. */
public final class BulkSealing implements Sealing {
    private final BulkCipher cipher;

    BulkSealing(BulkCipher cipher) {
        this.cipher = cipher;
    }

    /** The most bytes of one call: what runs read and write at once. */
    public static int capacity() {
        return RunLayout.PAGES_AT_ONCE * RunLayout.PAGE_BYTES;
    }

    /** An index of which such ciphers seal the log, the runs, or both, and nothing is sealed but that. */
    public static SealedIndex index(Function<byte[], BulkCipher> ofKey, boolean log, boolean runs) {
        Kind kind = key -> new BulkSealing(ofKey.apply(key));
        return new SealedIndex("in bulk", log ? kind : Kind.NONE, runs ? kind : Kind.NONE);
    }

    /**
     * Compares the bytes of such ciphers with the CPU's, at lengths that the index has.
     *
     * @throws IllegalStateException at the first difference
     */
    public static void prove(Function<byte[], BulkCipher> ofKey) {
        Random random = new Random(1);
        byte[] key = new byte[IndexKey.BYTES];
        random.nextBytes(key);
        Sealing tested = new BulkSealing(ofKey.apply(key));
        Sealing proven = Kind.AES_256_GCM.with(key);
        for (int length = 0; length < 3000; length += 1 + length / 7) {
            byte[] plain = new byte[length];
            byte[] clear = new byte[random.nextInt(100)];
            random.nextBytes(plain);
            random.nextBytes(clear);
            byte[] sealed = new byte[length + TAG_BYTES];
            byte[] expected = new byte[length + TAG_BYTES];
            tested.seal(length, 3, clear, new Piece(plain, 0, length), sealed, 0);
            proven.seal(length, 3, clear, new Piece(plain, 0, length), expected, 0);
            require(Arrays.equals(sealed, expected), "seals otherwise than the CPU", length);
            byte[] opened = new byte[length];
            Piece piece = new Piece(sealed, 0, sealed.length);
            require(tested.open(length, 3, clear, piece, opened, 0), "doesn't open what it sealed", length);
            require(Arrays.equals(opened, plain), "opens otherwise than it sealed", length);
            sealed[random.nextInt(sealed.length)] ^= 4;
            require(!tested.open(length, 3, clear, piece, opened, 0), "opens what was changed", length);
        }
        int count = RunLayout.PAGES_AT_ONCE;
        byte[] plain = new byte[count * RunLayout.PLAIN_BYTES];
        random.nextBytes(plain);
        byte[] sealed = new byte[count * RunLayout.PAGE_BYTES];
        byte[] expected = sealed.clone();
        tested.sealPages(9, count, plain, sealed);
        proven.sealPages(9, count, plain, expected);
        require(Arrays.equals(sealed, expected), "seals pages otherwise than the CPU", sealed.length);
        sealed[5 * RunLayout.PAGE_BYTES] ^= 1;
        require(tested.openPages(9, count, sealed, plain) == 5, "doesn't find the changed page", sealed.length);
    }

    private static void require(boolean holds, String otherwise, int length) {
        if (!holds) {
            throw new IllegalStateException("the cipher " + otherwise + ", " + length + " bytes");
        }
    }

    @Override
    public void seal(long sequence, int part, byte[] clear, Piece plain, byte[] sealed, int sealedAt) {
        cipher.seal(
                new Messages(sequence, part, clear, plain.length(), 1), plain.bytes(), plain.at(), sealed, sealedAt);
    }

    @Override
    public boolean open(long sequence, int part, byte[] clear, Piece sealed, byte[] plain, int plainAt) {
        Messages one = new Messages(sequence, part, clear, sealed.length() - TAG_BYTES, 1);
        return cipher.open(one, sealed.bytes(), sealed.at(), plain, plainAt) == 1;
    }

    @Override
    public void sealPages(long first, int count, byte[] plain, byte[] sealed) {
        cipher.seal(pages(first, count), plain, 0, sealed, 0);
    }

    @Override
    public int openPages(long first, int count, byte[] sealed, byte[] plain) {
        return cipher.open(pages(first, count), sealed, 0, plain, 0);
    }

    private static Messages pages(long first, int count) {
        return new Messages(first, 0, NOTHING, RunLayout.PLAIN_BYTES, count);
    }
}
