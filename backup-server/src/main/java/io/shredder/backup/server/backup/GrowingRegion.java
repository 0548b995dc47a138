// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.backup;

import io.shredder.backup.posix.DirectMemory;
import io.shredder.backup.region.ChunkRef;
import io.shredder.backup.region.RegionFormat;
import io.shredder.backup.server.snapshot.RegionBounds;
import java.io.Closeable;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** New chunks that are to be sealed together. One thread; holds memory outside of the heap until closed. */
final class GrowingRegion implements Closeable {

    private final List<ChunkRef> chunks = new ArrayList<>();
    private final List<PlainPart> plains = new ArrayList<>();
    private int bytes;
    private boolean ended;
    private ByteBuffer gathered = ByteBuffer.allocateDirect(0);

    /** Whether this chunk may be added. */
    boolean hasRoomFor(ChunkRef chunk) {
        return chunks.isEmpty()
                || (!ended
                        && chunks.size() < RegionFormat.MAX_REGION_CHUNKS
                        && bytes + chunk.length() <= RegionBounds.MAX_BYTES);
    }

    /** @param plain the chunk's bytes; nobody changes them before {@link #clear} */
    void add(ChunkRef chunk, PlainPart plain) {
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
     * The bytes of all chunks, one behind the other, in a direct buffer: where they lie, if they lie so, else copied.
     * Valid until {@link #clear}.
     */
    ByteBuffer plain() {
        PlainPart first = plains.get(0);
        if (first.whole().isDirect() && lieTogether()) {
            return first.whole().slice(first.from(), bytes);
        }
        if (gathered.capacity() < bytes) {
            close();
            gathered = ByteBuffer.allocateDirect(Math.max(bytes, RegionBounds.MAX_BYTES));
        }
        gathered.clear();
        plains.forEach(plain -> gathered.put(plain.bytes()));
        return gathered.flip();
    }

    private boolean lieTogether() {
        for (int i = 1; i < plains.size(); i++) {
            if (!plains.get(i - 1).touches(plains.get(i))) {
                return false;
            }
        }
        return true;
    }

    void clear() {
        chunks.clear();
        plains.clear();
        bytes = 0;
        ended = false;
    }

    /** What {@link #plain} returned must not be read any more. */
    @Override
    public void close() {
        if (gathered.capacity() > 0) {
            DirectMemory.free(gathered);
            gathered = ByteBuffer.allocateDirect(0);
        }
    }
}
