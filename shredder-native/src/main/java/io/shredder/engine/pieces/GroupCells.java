// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine.pieces;

import java.nio.ByteBuffer;

/** Memory for the cells of one group, outside the heap. For one thread. */
final class GroupCells {

    /** An odd number of cache lines between cells keeps them from meeting in the caches. */
    private static final int STAGGER_BYTES = 33 * 64;

    private final PieceLayout layout;
    private final ByteBuffer room;
    private final int strideBytes;

    GroupCells(PieceLayout layout) {
        this.layout = layout;
        int longest = layout.groups() == 0 ? 0 : layout.cellBytesOf(0);
        this.strideBytes = longest + STAGGER_BYTES;
        this.room = ByteBuffer.allocateDirect(strideBytes * layout.shards());
    }

    /** A buffer for each cell of the group, in the order of the shards; they hold what they held before. */
    ByteBuffer[] of(long group) {
        ByteBuffer[] cells = new ByteBuffer[layout.shards()];
        for (int i = 0; i < cells.length; i++) {
            cells[i] = room.slice(i * strideBytes, layout.cellBytesOf(group));
        }
        return cells;
    }

    static void clear(ByteBuffer bytes) {
        while (bytes.remaining() >= Long.BYTES) {
            bytes.putLong(0);
        }
        while (bytes.hasRemaining()) {
            bytes.put((byte) 0);
        }
    }
}
