// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine;

import java.nio.ByteBuffer;

/**
 * What {@link KeyedTags} makes of a chunk: 128 bits, to be kept as secret as the key.
 *
 * @param first eight bytes of the tag, big-endian
 * @param second the other eight
 */
public record ChunkTag(long first, long second) {

    /** Length in files. */
    public static final int BYTES = 2 * Long.BYTES;

    /** Reads the bytes at the position of a big-endian buffer. */
    public static ChunkTag read(ByteBuffer source) {
        return new ChunkTag(source.getLong(), source.getLong());
    }

    /** Writes {@link #BYTES} bytes at the position of {@code target}, which must be big-endian. */
    public void write(ByteBuffer target) {
        target.putLong(first).putLong(second);
    }

    /** No part of it may get into a log. */
    @Override
    public String toString() {
        return "a tag";
    }
}
