// SPDX-License-Identifier: Apache-2.0
package io.shredder.chunk;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.security.MessageDigest;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * The identity of a chunk: a digest of its bytes, 32 bytes long. An immutable value, held in four longs so that maps of
 * many fingerprints need no byte array each.
 */
public final class Fingerprint implements Comparable<Fingerprint> {

    /** Length of every fingerprint in bytes. */
    public static final int BYTES = 32;

    private final long word0;
    private final long word1;
    private final long word2;
    private final long word3;

    private Fingerprint(long word0, long word1, long word2, long word3) {
        this.word0 = word0;
        this.word1 = word1;
        this.word2 = word2;
        this.word3 = word3;
    }

    /**
     * The fingerprint with these bytes.
     *
     * @throws IllegalArgumentException if there are not exactly {@link #BYTES} of them
     */
    public static Fingerprint of(byte[] digest) {
        if (digest.length != BYTES) {
            throw new IllegalArgumentException("a fingerprint has " + BYTES + " bytes, not " + digest.length);
        }
        return read(ByteBuffer.wrap(digest));
    }

    /** Reads the next {@link #BYTES} bytes of {@code source}, whatever its byte order, and advances it. */
    public static Fingerprint read(ByteBuffer source) {
        if (source.order() == ByteOrder.BIG_ENDIAN) {
            return new Fingerprint(source.getLong(), source.getLong(), source.getLong(), source.getLong());
        }
        ByteBuffer view = source.slice(source.position(), BYTES); // Big-endian, as every new view.
        source.position(source.position() + BYTES);
        return new Fingerprint(view.getLong(0), view.getLong(8), view.getLong(16), view.getLong(24));
    }

    /** The SHA-256 fingerprint of the remaining bytes of {@code data}; its position does not change. */
    public static Fingerprint ofData(ByteBuffer data) {
        return ofData(DigestAlgorithm.SHA_256, data);
    }

    /** The fingerprint of the remaining bytes of {@code data} by that algorithm; its position does not change. */
    public static Fingerprint ofData(DigestAlgorithm algorithm, ByteBuffer data) {
        MessageDigest digest = algorithm.newMessageDigest();
        digest.update(data.duplicate());
        return of(digest.digest());
    }

    /**
     * The fingerprint written as 64 hexadecimal digits.
     *
     * @throws IllegalArgumentException if {@code hex} is anything else
     */
    public static Fingerprint parseHex(String hex) {
        if (hex.length() != 2 * BYTES) {
            throw new IllegalArgumentException(
                    "a fingerprint has " + 2 * BYTES + " hexadecimal digits: '" + hex + "' has " + hex.length());
        }
        return of(HexFormat.of().parseHex(hex));
    }

    /** Writes {@link #BYTES} bytes at the position of {@code target}, whatever its byte order, and advances it. */
    public void write(ByteBuffer target) {
        if (target.order() == ByteOrder.BIG_ENDIAN) {
            target.putLong(word0).putLong(word1).putLong(word2).putLong(word3);
            return;
        }
        target.slice(target.position(), BYTES)
                .order(ByteOrder.BIG_ENDIAN)
                .putLong(word0)
                .putLong(word1)
                .putLong(word2)
                .putLong(word3);
        target.position(target.position() + BYTES);
    }

    /** The {@link #BYTES} bytes, in a new array. */
    public byte[] toBytes() {
        byte[] bytes = new byte[BYTES];
        write(ByteBuffer.wrap(bytes));
        return bytes;
    }

    /** The first eight bytes, big-endian, unsigned: uniform where fingerprints are, for filters and searches. */
    public long prefix() {
        return word0;
    }

    /** Orders by bytes, unsigned. */
    @Override
    public int compareTo(Fingerprint other) {
        int order = Long.compareUnsigned(word0, other.word0);
        order = order != 0 ? order : Long.compareUnsigned(word1, other.word1);
        order = order != 0 ? order : Long.compareUnsigned(word2, other.word2);
        return order != 0 ? order : Long.compareUnsigned(word3, other.word3);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof Fingerprint that
                && word0 == that.word0
                && word1 == that.word1
                && word2 == that.word2
                && word3 == that.word3;
    }

    /** A digest is uniform already: its first bytes are as good a hash as any. */
    @Override
    public int hashCode() {
        return (int) (word0 >>> 32);
    }

    /** The 64 hexadecimal digits. */
    @Override
    public String toString() {
        HexFormat hex = HexFormat.of();
        return hex.toHexDigits(word0) + hex.toHexDigits(word1) + hex.toHexDigits(word2) + hex.toHexDigits(word3);
    }
}
