// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.snapshot;

import io.shredder.backup.bytes.BodyReader;
import io.shredder.chunk.DamagedDataException;
import java.nio.ByteBuffer;
import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/**
 * Names a repository key without saying anything about it. Public: it stands in every snapshot, so that a wrong key is
 * told from damage.
 *
 * @param high its first eight bytes, big-endian
 * @param low its last eight bytes
 */
public record KeyId(long high, long low) {

    /** Length in messages and files. */
    public static final int BYTES = 16;

    /** The id with these {@link #BYTES} bytes. */
    public static KeyId of(byte[] bytes) {
        if (bytes.length != BYTES) {
            throw new IllegalArgumentException("a key id has " + BYTES + " bytes, not " + bytes.length);
        }
        ByteBuffer view = ByteBuffer.wrap(bytes);
        return new KeyId(view.getLong(), view.getLong());
    }

    /**
     * The id written as 32 hexadecimal digits.
     *
     * @throws IllegalArgumentException if {@code hex} is anything else
     */
    public static KeyId parseHex(String hex) {
        if (hex.length() != 2 * BYTES) {
            throw new IllegalArgumentException(
                    "a key id has " + 2 * BYTES + " hexadecimal digits: '" + hex + "' has " + hex.length());
        }
        return of(HexFormat.of().parseHex(hex));
    }

    /** Writes {@link #BYTES} bytes at the position of {@code target}, which must be big-endian. */
    public void write(ByteBuffer target) {
        target.putLong(high).putLong(low);
    }

    /** Reads one. */
    public static KeyId read(BodyReader in) throws DamagedDataException {
        return new KeyId(in.i64("key id"), in.i64("key id"));
    }

    // Written out as in ChunkRef.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof KeyId that && high == that.high && low == that.low;
    }

    @Override
    public int hashCode() {
        return Long.hashCode(low);
    }

    /** The 32 hexadecimal digits. */
    @Override
    public String toString() {
        HexFormat hex = HexFormat.of();
        return hex.toHexDigits(high) + hex.toHexDigits(low);
    }
}
