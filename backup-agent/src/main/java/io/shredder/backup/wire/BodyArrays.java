// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.wire;

import io.shredder.backup.region.StoredRegion;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Set;

/**
 * Arrays for the bodies of frames that carry regions, used again and again: new ones would have to be zeroed, and be
 * copied about by the garbage collector while they wait. An array of more than {@value #MIN_ARRAY_BYTES} bytes is less
 * than twice as long as its body. Safe for several threads.
 */
public final class BodyArrays {

    /** The longest array that is kept. */
    static final int MAX_ARRAY_BYTES = 2 << 20;

    static final int MIN_ARRAY_BYTES = 1 << 12;

    /** Free arrays, the last given back first: a CPU's cache may still have it. What nobody takes is forgotten. */
    private final Deque<byte[]> free = new ArrayDeque<>();

    private volatile int maxKeptBytes;
    private int keptBytes;

    /** Has none yet, and will keep at most so many bytes. */
    public BodyArrays(int maxKeptBytes) {
        this.maxKeptBytes = maxKeptBytes;
    }

    /** From now on at most so many bytes. */
    public void keep(int mostBytes) {
        maxKeptBytes = mostBytes;
    }

    /** An array of at least {@code bytes}, which are at most {@link #MAX_ARRAY_BYTES}, with whatever was in it. */
    synchronized byte[] take(int bytes) {
        int length = arrayBytes(bytes);
        for (Iterator<byte[]> known = free.iterator(); known.hasNext(); ) {
            byte[] array = known.next();
            if (array.length == length) {
                known.remove();
                keptBytes -= length;
                return array;
            }
        }
        return new byte[length];
    }

    /** The length of an array for a body of this length; the body's own if no array that long is kept here. */
    static int arrayBytes(int bodyBytes) {
        return bodyBytes > MAX_ARRAY_BYTES ? bodyBytes : Math.max(MIN_ARRAY_BYTES, roundedUp(bodyBytes));
    }

    /** Whether bodies of these frames are in such arrays. Who handles others may keep using what it read of them. */
    static boolean areFor(FrameType type) {
        return type == FrameType.PUT || type == FrameType.REGIONS;
    }

    /** A frame's body is not needed any more, nor anything that was read from it without a copy. */
    public void giveBack(Frame frame) {
        if (areFor(frame.type())) {
            giveBack(frame.body().array());
        }
    }

    /** The bodies of these regions are needed no more. Several may share one; nobody else has regions of them. */
    public void giveBack(List<StoredRegion> regions) {
        Set<byte[]> given = Collections.newSetFromMap(new IdentityHashMap<>());
        for (StoredRegion region : regions) {
            if (given.add(region.stored().array())) {
                giveBack(region.stored().array());
            }
        }
    }

    private synchronized void giveBack(byte[] array) {
        int length = array.length;
        boolean ours = length >= MIN_ARRAY_BYTES && length <= MAX_ARRAY_BYTES && length == roundedUp(length);
        if (ours) {
            free.push(array);
            keptBytes += length;
        }
        while (keptBytes > maxKeptBytes) {
            keptBytes -= free.removeLast().length;
        }
    }

    private static int roundedUp(int bytes) {
        return bytes <= 1 ? 1 : Integer.highestOneBit(bytes - 1) << 1;
    }
}
