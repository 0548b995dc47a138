// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import java.nio.ByteBuffer;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * The bytes of a group's new chunks, copied into one large array that serves one group after another: short-lived
 * arrays of a chunk's length would be copied by the garbage collector again and again. One stage at a time, as its
 * group.
 */
final class GroupData {

    /** The arrays that no group uses. Safe for any number of threads. */
    static final class Pool {
        private final Queue<byte[]> spare = new ConcurrentLinkedQueue<>();
        private final int bytes;

        /** @param bytes length of each */
        Pool(int bytes) {
            this.bytes = bytes;
        }

        GroupData take() {
            return new GroupData(this);
        }
    }

    private final Pool pool;
    private ByteBuffer bytes = ByteBuffer.allocate(0);
    private boolean full;

    private GroupData(Pool pool) {
        this.pool = pool;
    }

    /**
     * Room for a chunk of this length, from its position to its limit; valid until {@link #giveBack}. What has no room
     * here gets an array of its own.
     */
    ByteBuffer room(int length) {
        if (bytes.capacity() == 0) {
            byte[] array = pool.spare.poll();
            bytes = array == null ? ByteBuffer.allocate(pool.bytes) : ByteBuffer.wrap(array);
        }
        full |= length >= bytes.remaining();
        if (length > bytes.remaining()) {
            return ByteBuffer.allocate(length);
        }
        ByteBuffer room = bytes.slice(bytes.position(), length);
        bytes.position(bytes.position() + length);
        return room;
    }

    /** Whether the last chunk took, or would have needed, what was left. */
    boolean isFull() {
        return full;
    }

    /** Nobody reads the copies any more. */
    void giveBack() {
        if (bytes.capacity() > 0) {
            pool.spare.add(bytes.array());
            bytes = ByteBuffer.allocate(0);
        }
    }
}
