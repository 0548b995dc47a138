// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.backup;

import java.nio.ByteBuffer;

/**
 * A chunk's bytes, as a part of a longer buffer: so it can be told which chunks lie one behind the other.
 *
 * @param whole its position and limit mean nothing
 * @param from where the part begins in it
 * @param length of the part
 */
record PlainPart(ByteBuffer whole, int from, int length) {

    /** All that remains of a buffer. */
    static PlainPart of(ByteBuffer bytes) {
        return new PlainPart(bytes, bytes.position(), bytes.remaining());
    }

    /** The bytes, from position to limit of a buffer that is the caller's. */
    ByteBuffer bytes() {
        return whole.slice(from, length);
    }

    /** Whether the other begins where this one ends, in the same buffer. */
    @SuppressWarnings("ReferenceEquality")
    boolean touches(PlainPart next) {
        return whole == next.whole && from + length == next.from;
    }
}
