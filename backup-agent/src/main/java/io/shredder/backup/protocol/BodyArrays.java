// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.protocol;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Arrays for the bodies of a connection's {@link FrameType#PUT} frames, used again and again: new ones would have to be zeroed, and be copied about
 * by the garbage collector while they wait. An array of more than {@value #MIN_ARRAY_BYTES} bytes is less than twice as long as its body. Keeps at most {@value #MAX_KEPT_BYTES} bytes. Safe for
 * several threads.
 */
public final class BodyArrays {

    /** The longest array that is kept. */
    static final int MAX_ARRAY_BYTES = 1 << 20;

    static final int MIN_ARRAY_BYTES = 1 << 12;
    static final int MAX_KEPT_BYTES = 8 << 20;

    /** Free arrays of each length: powers of two, the shortest first. */
    private final List<ArrayDeque<byte[]>> free = new ArrayList<>();

    private int keptBytes;

    /** Has none yet. */
    public BodyArrays() {
        for (int bytes = MIN_ARRAY_BYTES; bytes <= MAX_ARRAY_BYTES; bytes *= 2) {
            free.add(new ArrayDeque<>());
        }
    }

    /** An array of at least {@code bytes}, which are at most {@link #MAX_ARRAY_BYTES}, with whatever was in it. */
    synchronized byte[] take(int bytes) {
        int length = Math.max(MIN_ARRAY_BYTES, roundedUp(bytes));
        byte @Nullable [] array = ofLength(length).poll();
        if (array == null) {
            return new byte[length];
        }
        keptBytes -= length;
        return array;
    }

    /** A frame's body is not needed any more, nor anything that was read from it without a copy. */
    public void giveBack(Frame frame) {
        if (frame.type() == FrameType.PUT) {
            giveBack(frame.body().array());
        }
    }

    private synchronized void giveBack(byte[] array) {
        int length = array.length;
        boolean ours = length >= MIN_ARRAY_BYTES && length <= MAX_ARRAY_BYTES && length == roundedUp(length);
        if (ours && keptBytes + length <= MAX_KEPT_BYTES) {
            keptBytes += length;
            ofLength(length).push(array);
        }
    }

    private ArrayDeque<byte[]> ofLength(int length) {
        return free.get(Integer.numberOfTrailingZeros(length / MIN_ARRAY_BYTES));
    }

    private static int roundedUp(int bytes) {
        return bytes <= 1 ? 1 : Integer.highestOneBit(bytes - 1) << 1;
    }
}
