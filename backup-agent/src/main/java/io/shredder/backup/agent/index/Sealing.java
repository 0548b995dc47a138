// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

/**
 * Seals the bytes of one file under that file's own key. A sealed piece is as long as the plain one and
 * {@value #TAG_BYTES} bytes; its nonce is its sequence number and part, and whoever seals never gives the same pair
 * twice. Pieces have at most 128 KiB: Java 17 gets slow beyond. Safe for any number of threads.
 */
interface Sealing {

    /** What sealing adds. */
    int TAG_BYTES = 16;

    /** No bytes: nothing clear beside what is sealed, or nothing sealed. */
    byte[] NOTHING = new byte[0];

    /** A part of an array that is sealed or opened; the array stays the caller's. */
    final class Piece {
        private final byte[] bytes;
        private final int at;
        private final int length;

        Piece(byte[] bytes, int at, int length) {
            this.bytes = bytes;
            this.at = at;
            this.length = length;
        }

        byte[] bytes() {
            return bytes;
        }

        int at() {
            return at;
        }

        int length() {
            return length;
        }
    }

    /** Seals {@code plain} into {@code sealed}, and authenticates {@code clear} with it. */
    void seal(long sequence, int part, byte[] clear, Piece plain, byte[] sealed, int sealedAt);

    /**
     * Opens what {@link #seal} made.
     *
     * @param sealed with its tag
     * @return whether every bit of {@code sealed} and {@code clear} is as it was sealed; if not, {@code plain} holds
     *     nothing of use
     */
    boolean open(long sequence, int part, byte[] clear, Piece sealed, byte[] plain, int plainAt);

    /**
     * Seals consecutive pages of a run: the one place for bulk encryption, by several threads or on a device.
     *
     * @param first number of the first page, which is its nonce
     * @param plain {@code count} times {@link RunLayout#PLAIN_BYTES}
     * @param sealed {@code count} times {@link RunLayout#PAGE_BYTES}
     */
    default void sealPages(long first, int count, byte[] plain, byte[] sealed) {
        for (int i = 0; i < count; i++) {
            Piece page = new Piece(plain, i * RunLayout.PLAIN_BYTES, RunLayout.PLAIN_BYTES);
            seal(first + i, 0, NOTHING, page, sealed, i * RunLayout.PAGE_BYTES);
        }
    }

    /**
     * Opens what {@link #sealPages} made.
     *
     * @param sealed {@code count} times {@link RunLayout#PAGE_BYTES}
     * @param plain {@code count} times {@link RunLayout#PLAIN_BYTES}
     * @return how many pages are as they were sealed, up to the first that isn't
     */
    default int openPages(long first, int count, byte[] sealed, byte[] plain) {
        for (int i = 0; i < count; i++) {
            Piece page = new Piece(sealed, i * RunLayout.PAGE_BYTES, RunLayout.PAGE_BYTES);
            if (!open(first + i, 0, NOTHING, page, plain, i * RunLayout.PLAIN_BYTES)) {
                return i;
            }
        }
        return count;
    }

    /** How to make the sealing of a file from its key, {@link IndexKey#BYTES} bytes. */
    @FunctionalInterface
    interface Kind {
        /** Encrypted and authenticated. */
        Kind AES_256_GCM = AesGcmSealing::new;

        /**
         * Clear, with a CRC32C against accidents: what encryption costs is measured against this. Never for a
         * repository.
         */
        Kind NONE = key -> new ClearSealing();

        Sealing with(byte[] key);
    }
}
