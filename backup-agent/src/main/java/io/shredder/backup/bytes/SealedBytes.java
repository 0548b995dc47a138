// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.bytes;

import java.nio.ByteBuffer;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** Bytes that only whoever has the repository key can read. An immutable value. */
public final class SealedBytes {

    private final byte[] bytes;

    /** Takes ownership of {@code bytes}. */
    public SealedBytes(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Number of bytes. */
    public int length() {
        return bytes.length;
    }

    /** A read-only view. */
    public ByteBuffer view() {
        return ByteBuffer.wrap(bytes).asReadOnlyBuffer();
    }

    /** Writes all bytes at the position of {@code target}. */
    public void write(ByteBuffer target) {
        target.put(bytes);
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof SealedBytes that && Arrays.equals(bytes, that.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    @Override
    public String toString() {
        return bytes.length + " sealed bytes";
    }
}
