// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.shard;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.Iterator;
import org.jspecify.annotations.Nullable;

/**
 * Memory for cells that are read, used again and again by the whole process: new arrays would have to be zeroed, and
 * the garbage collector would copy each about while its cell waits to be given out. What nobody gives back is garbage
 * like any other. Safe for several threads.
 */
public final class CellArrays {

    /** Free arrays take so much at most. */
    private static final int MOST_BYTES = 32 << 20;

    /** Shorter ones die young. */
    private static final int LEAST_BYTES = 32 << 10;

    /** A length is a multiple of it, so that answers of a keeper with a cell are all equally long. */
    private static final int STEP_BYTES = 4 << 10;

    private static final CellArrays SHARED = new CellArrays();

    /** The last given back first: a CPU's cache may still have it. */
    private final Deque<byte[]> free = new ArrayDeque<>();

    private int bytes;

    CellArrays() {}

    /** Those of this process. */
    public static CellArrays shared() {
        return SHARED;
    }

    /** So many bytes, with whatever was in them, in an array that nobody else has. */
    public ByteBuffer take(int length) {
        if (length < LEAST_BYTES) {
            return ByteBuffer.allocate(length);
        }
        int rounded = (length + STEP_BYTES - 1) / STEP_BYTES * STEP_BYTES;
        byte[] used = takeFree(rounded);
        return ByteBuffer.wrap(used == null ? new byte[rounded] : used, 0, length);
    }

    private synchronized byte @Nullable [] takeFree(int length) {
        for (Iterator<byte[]> each = free.iterator(); each.hasNext(); ) {
            byte[] array = each.next();
            if (array.length == length) {
                each.remove();
                bytes -= length;
                return array;
            }
        }
        return null;
    }

    /** Nobody uses the array of this buffer any more, nor of any view of it. */
    @SuppressWarnings("ByteBufferBackingArray") // All of it is meant, wherever the buffer begins.
    public void giveBack(ByteBuffer used) {
        if (!used.hasArray()) {
            return;
        }
        byte[] array = used.array();
        if (array.length >= LEAST_BYTES && array.length % STEP_BYTES == 0) {
            assert isOverwritten(array) : "in tests whoever uses it all the same finds that it is gone";
            keep(array);
        }
    }

    private static boolean isOverwritten(byte[] array) {
        Arrays.fill(array, (byte) 0xDD);
        return true;
    }

    private synchronized void keep(byte[] array) {
        free.push(array);
        bytes += array.length;
        while (bytes > MOST_BYTES) {
            bytes -= free.removeLast().length;
        }
    }
}
