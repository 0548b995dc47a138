// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.upload;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Bytes of one segment on their way from the aligner to HDFS, and where chunks end among them. Used by one thread at a
 * time, handed on through queues.
 */
final class UploadBuffer {

    static final int BYTES = 1 << 20;

    private final byte[] bytes = new byte[BYTES];
    private final List<Integer> chunkEnds = new ArrayList<>();
    private int length;
    private boolean last;

    /** Takes as much of {@code piece} as there is room for, and advances it; the only copy on the way. */
    void fill(ByteBuffer piece) {
        int n = Math.min(piece.remaining(), BYTES - length);
        piece.get(bytes, length, n);
        length += n;
    }

    boolean isFull() {
        return length == BYTES;
    }

    /** A chunk ends with the last byte put in. */
    void endChunk() {
        chunkEnds.add(length);
    }

    /** The segment ends with this buffer. */
    void endSegment() {
        last = true;
    }

    /** Whether the segment ends with this buffer. */
    boolean isLast() {
        return last;
    }

    byte[] bytes() {
        return bytes;
    }

    /** How many of {@link #bytes()} are the segment's. */
    int length() {
        return length;
    }

    /** Offsets in this buffer behind the last byte of each chunk that ends here. */
    List<Integer> chunkEnds() {
        return chunkEnds;
    }

    void clear() {
        length = 0;
        last = false;
        chunkEnds.clear();
    }
}
