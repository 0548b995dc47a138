// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.wire;

import io.shredder.backup.region.StoredRegion;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.IdentityHashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Memory for the bodies of frames that carry regions, used again and again: new memory would have to be zeroed. Outside
 * of the heap the garbage collector doesn't copy it about while a body waits, and bodies are digested and written from
 * where they are. A buffer of more than {@value #MIN_BUFFER_BYTES} bytes is less than twice as long as its body. Safe
 * for several threads.
 */
public final class BodyBuffers implements Bodies {

    /** The longest buffer that is kept. */
    static final int MAX_BUFFER_BYTES = 2 << 20;

    static final int MIN_BUFFER_BYTES = 1 << 12;

    private final boolean outsideHeap;
    private final Consumer<ByteBuffer> release;

    /** Free buffers, the last given back first: a CPU's cache may still have it. What nobody takes is forgotten. */
    private final Deque<ByteBuffer> free = new ArrayDeque<>();

    private volatile int maxKeptBytes;
    private int keptBytes;

    private BodyBuffers(boolean outsideHeap, int maxKeptBytes, Consumer<ByteBuffer> release) {
        this.outsideHeap = outsideHeap;
        this.release = release;
        this.maxKeptBytes = maxKeptBytes;
    }

    /** Buffers with arrays, of which there are none yet; at most so many bytes will be kept. */
    public static BodyBuffers onHeap(int maxKeptBytes) {
        return new BodyBuffers(false, maxKeptBytes, buffer -> {});
    }

    /**
     * The same of direct buffers.
     *
     * @param release frees, at once, those that are given back and not kept
     */
    public static BodyBuffers outsideHeap(int maxKeptBytes, Consumer<ByteBuffer> release) {
        return new BodyBuffers(true, maxKeptBytes, release);
    }

    /** From now on at most so many bytes. */
    public void keep(int mostBytes) {
        maxKeptBytes = mostBytes;
    }

    @Override
    public ByteBuffer take(FrameType type, int bytes) {
        return areFor(type) ? take(bytes) : ByteBuffer.allocate(bytes);
    }

    /** A buffer with room for so many bytes from its start on, big-endian, with whatever was in it. */
    ByteBuffer take(int bytes) {
        int length = bufferBytes(bytes);
        ByteBuffer used = takeFree(length);
        if (used != null) {
            return used.clear();
        }
        return outsideHeap ? ByteBuffer.allocateDirect(length) : ByteBuffer.allocate(length);
    }

    private synchronized @Nullable ByteBuffer takeFree(int length) {
        for (Iterator<ByteBuffer> known = free.iterator(); known.hasNext(); ) {
            ByteBuffer buffer = known.next();
            if (buffer.capacity() == length) {
                known.remove();
                keptBytes -= length;
                return buffer;
            }
        }
        return null;
    }

    /** The length of a buffer for a body of this length; the body's own if none that long is kept here. */
    static int bufferBytes(int bodyBytes) {
        return bodyBytes > MAX_BUFFER_BYTES ? bodyBytes : Math.max(MIN_BUFFER_BYTES, roundedUp(bodyBytes));
    }

    /** Whether bodies of these frames are in such buffers. Who handles others may keep using what it read of them. */
    private static boolean areFor(FrameType type) {
        return type == FrameType.PUT || type == FrameType.REGIONS;
    }

    /** A frame's body is not needed any more, nor anything that was read from it without a copy. */
    public void giveBack(Frame frame) {
        if (areFor(frame.type())) {
            giveBack(frame.body());
        }
    }

    /**
     * The bodies of these regions, which are on the heap, are needed no more. Several may share one; nobody else has
     * regions of them.
     */
    public void giveBack(List<StoredRegion> regions) {
        Set<byte[]> given = Collections.newSetFromMap(new IdentityHashMap<>());
        for (StoredRegion region : regions) {
            if (given.add(region.stored().array())) {
                giveBack(ByteBuffer.wrap(region.stored().array()));
            }
        }
    }

    /** @param buffer as {@link #take} gave it, not a view of it */
    @Override
    public void giveBack(ByteBuffer buffer) {
        if (buffer.isDirect() == outsideHeap) {
            kept(buffer).forEach(release);
        }
    }

    /** Keeps a buffer; returns those that are kept no more. */
    private synchronized List<ByteBuffer> kept(ByteBuffer buffer) {
        int length = buffer.capacity();
        if (length < MIN_BUFFER_BYTES || length > MAX_BUFFER_BYTES || length != roundedUp(length)) {
            return List.of(buffer);
        }
        free.push(buffer);
        keptBytes += length;
        List<ByteBuffer> dropped = new ArrayList<>();
        while (keptBytes > maxKeptBytes) {
            dropped.add(free.removeLast());
            keptBytes -= dropped.get(dropped.size() - 1).capacity();
        }
        return dropped;
    }

    private static int roundedUp(int bytes) {
        return bytes <= 1 ? 1 : Integer.highestOneBit(bytes - 1) << 1;
    }
}
