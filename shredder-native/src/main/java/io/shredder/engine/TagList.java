// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Objects;

/** Tags that {@link KeyedTags} made of pieces of data, in order: 128 bits each, as secret as the key. Immutable. */
public final class TagList {

    /** Length of one tag in files. */
    public static final int TAG_BYTES = 16;

    private final byte[] bytes;

    TagList(byte[] bytes) {
        this.bytes = bytes;
    }

    /** Reads tags at the position of {@code source}. */
    public static TagList read(ByteBuffer source, int count) {
        byte[] bytes = new byte[Math.multiplyExact(count, TAG_BYTES)];
        source.get(bytes);
        return new TagList(bytes);
    }

    /** Writes all at the position of {@code target}. */
    public void write(ByteBuffer target) {
        target.put(bytes);
    }

    /** How many. */
    public int count() {
        return bytes.length / TAG_BYTES;
    }

    /** Some of them, from one on. */
    public TagList part(int from, int count) {
        Objects.checkFromIndexSize(from, count, count());
        return new TagList(Arrays.copyOfRange(bytes, from * TAG_BYTES, (from + count) * TAG_BYTES));
    }

    /** Whether the tags from one of these on are those from one of the others on. */
    public boolean matches(int from, TagList other, int otherFrom, int count) {
        Objects.checkFromIndexSize(from, count, count());
        Objects.checkFromIndexSize(otherFrom, count, other.count());
        return Arrays.equals(
                bytes,
                from * TAG_BYTES,
                (from + count) * TAG_BYTES,
                other.bytes,
                otherFrom * TAG_BYTES,
                (otherFrom + count) * TAG_BYTES);
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof TagList tags && Arrays.equals(bytes, tags.bytes);
    }

    @Override
    public int hashCode() {
        return Arrays.hashCode(bytes);
    }

    /** No part of them may get into a log. */
    @Override
    public String toString() {
        return count() + " tags";
    }
}
