// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.protocol.ChunkRef;
import io.shredder.backup.protocol.WireFormat;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** New chunks that are to be sealed together. One thread. */
final class GrowingRegion {

    private final List<ChunkRef> chunks = new ArrayList<>();
    private final List<ByteBuffer> plains = new ArrayList<>();
    private int bytes;
    private boolean ended;
    private byte[] gathered = new byte[0];

    /** Whether this chunk may be added. */
    boolean hasRoomFor(ChunkRef chunk) {
        return chunks.isEmpty()
                || (!ended
                        && chunks.size() < WireFormat.MAX_REGION_CHUNKS
                        && bytes + chunk.length() <= RegionBounds.MAX_BYTES);
    }

    /** @param plain the chunk's bytes, in an array; nobody changes them before {@link #clear} */
    void add(ChunkRef chunk, ByteBuffer plain) {
        chunks.add(chunk);
        plains.add(plain);
        bytes += chunk.length();
        ended = RegionBounds.endBehind(chunk);
    }

    boolean isEmpty() {
        return chunks.isEmpty();
    }

    /** Length of what was added. */
    int bytes() {
        return bytes;
    }

    /** What was added, in order. */
    List<ChunkRef> chunks() {
        return List.copyOf(chunks);
    }

    /**
     * The bytes of all chunks, one behind the other, in an array: where they lie, if they lie so, else copied. Valid
     * until {@link #clear}.
     */
    ByteBuffer plain() {
        ByteBuffer first = plains.get(0);
        int from = first.arrayOffset() + first.position();
        if (lieTogether()) {
            return ByteBuffer.wrap(first.array(), from, bytes);
        }
        if (gathered.length < bytes) {
            gathered = new byte[Math.max(bytes, RegionBounds.MAX_BYTES)];
        }
        ByteBuffer all = ByteBuffer.wrap(gathered);
        plains.forEach(plain -> all.put(plain.duplicate()));
        return all.flip();
    }

    private boolean lieTogether() {
        byte[] array = plains.get(0).array();
        int end = plains.get(0).arrayOffset() + plains.get(0).position();
        for (ByteBuffer plain : plains) {
            if (plain.array() != array || plain.arrayOffset() + plain.position() != end) {
                return false;
            }
            end += plain.remaining();
        }
        return true;
    }

    void clear() {
        chunks.clear();
        plains.clear();
        bytes = 0;
        ended = false;
    }
}
