// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfscoder;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;

/** Random units of a stripe, and buffers of each manner that hold them. */
final class Units {

    private static final byte FILL = 0x5A;

    private Units() {}

    /** Where a unit's buffer lies. */
    enum Memory {
        DIRECT,
        HEAP,
        /** Larger than what is coded, at an odd place, as pooled buffers are. */
        POOLED_DIRECT,
        POOLED_HEAP,
        /** An array of which the buffer is a part. */
        SLICED_HEAP;

        /** Room for bytes; what lies around it is filled. */
        ByteBuffer room(int bytes) {
            return switch (this) {
                case DIRECT -> filled(ByteBuffer.allocateDirect(bytes), 0, bytes);
                case HEAP -> filled(ByteBuffer.allocate(bytes), 0, bytes);
                case POOLED_DIRECT -> filled(ByteBuffer.allocateDirect(bytes + 100), 37, bytes);
                case POOLED_HEAP -> filled(ByteBuffer.allocate(bytes + 100), 37, bytes);
                case SLICED_HEAP ->
                    filled(ByteBuffer.allocate(bytes + 100).position(11).slice(), 5, bytes);
            };
        }

        private static ByteBuffer filled(ByteBuffer buffer, int at, int bytes) {
            while (buffer.hasRemaining()) {
                buffer.put(FILL);
            }
            return buffer.position(at).limit(at + bytes);
        }

        ByteBuffer holding(byte[] unit) {
            ByteBuffer buffer = room(unit.length);
            buffer.put(buffer.position(), unit);
            return buffer;
        }

        ByteBuffer[] holding(byte[][] units) {
            return Arrays.stream(units)
                    .map(unit -> unit == null ? null : holding(unit))
                    .toArray(ByteBuffer[]::new);
        }

        ByteBuffer[] rooms(int count, int bytes) {
            ByteBuffer[] rooms = new ByteBuffer[count];
            Arrays.setAll(rooms, i -> room(bytes));
            return rooms;
        }
    }

    /** Whether nothing was written before the position or behind the limit. */
    static boolean isUntouchedAround(ByteBuffer buffer) {
        for (int i = 0; i < buffer.capacity(); i++) {
            boolean inside = i >= buffer.position() && i < buffer.limit();
            if (!inside && buffer.duplicate().clear().get(i) != FILL) {
                return false;
            }
        }
        return true;
    }

    static byte[][] random(Random random, int count, int bytes) {
        byte[][] units = new byte[count][bytes];
        for (byte[] unit : units) {
            random.nextBytes(unit);
        }
        return units;
    }

    /** The bytes from position to limit. */
    static byte[] bytes(ByteBuffer buffer) {
        byte[] bytes = new byte[buffer.remaining()];
        buffer.get(buffer.position(), bytes);
        return bytes;
    }

    static byte[][] bytes(ByteBuffer[] buffers) {
        return Arrays.stream(buffers).map(Units::bytes).toArray(byte[][]::new);
    }

    /** The units, null where one is erased. */
    static byte[][] without(byte[][] units, int... erased) {
        byte[][] left = units.clone();
        for (int i : erased) {
            left[i] = null;
        }
        return left;
    }

    /** The units with these numbers. */
    static byte[][] select(byte[][] units, int... numbers) {
        return Arrays.stream(numbers).mapToObj(i -> units[i]).toArray(byte[][]::new);
    }
}
