// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.backup;

import io.shredder.backup.posix.DirectMemory;
import java.io.Closeable;
import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/**
 * The bytes of a group's new chunks, copied into one large buffer that serves one group after another. It lies outside
 * of the heap: native code that compresses an array there would hold the garbage collector up, and with it every thread
 * that compresses. One stage at a time, as its group.
 */
final class GroupData {

    /** The buffers that no group uses. Safe for any number of threads. */
    static final class Pool implements Closeable {
        private final Queue<ByteBuffer> spare = new ConcurrentLinkedQueue<>();
        private final int bytes;

        /** @param bytes length of each */
        Pool(int bytes) {
            this.bytes = bytes;
        }

        GroupData take() {
            return new GroupData(this);
        }

        private ByteBuffer buffer() {
            ByteBuffer used = spare.poll();
            return used != null ? used : ByteBuffer.allocateDirect(bytes);
        }

        /** Frees them. Those that a group still has are left to the garbage collector. */
        @Override
        public void close() {
            for (ByteBuffer free = spare.poll(); free != null; free = spare.poll()) {
                DirectMemory.free(free);
            }
        }
    }

    private final Pool pool;
    private @Nullable ByteBuffer buffer;
    private int used;
    private boolean full;

    private GroupData(Pool pool) {
        this.pool = pool;
    }

    /** Room for a chunk of this length, valid until {@link #giveBack}. What has no room here gets a heap's array. */
    PlainPart room(int length) {
        if (buffer == null) {
            buffer = pool.buffer();
            used = 0;
        }
        int left = buffer.capacity() - used;
        full |= length >= left;
        if (length > left) {
            return PlainPart.of(ByteBuffer.allocate(length));
        }
        PlainPart room = new PlainPart(buffer, used, length);
        used += length;
        return room;
    }

    /** Whether the last chunk took, or would have needed, what was left. */
    boolean isFull() {
        return full;
    }

    /** Nobody reads the copies any more. */
    void giveBack() {
        if (buffer != null) {
            pool.spare.add(buffer);
            buffer = null;
        }
    }
}
