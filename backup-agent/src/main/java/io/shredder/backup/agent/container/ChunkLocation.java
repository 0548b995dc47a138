// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.container;

import io.shredder.backup.bytes.BodyReader;
import io.shredder.backup.region.ChunkRef;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Where a chunk is kept.
 *
 * @param container its container's number, from 1
 * @param offset of its region's record in the container
 * @param storedBytes length of the region's stored bytes
 * @param plainBytes length of the chunk
 */
public record ChunkLocation(int container, int offset, int storedBytes, int plainBytes) {

    /** Length in the index. */
    public static final int BYTES = 16;

    /** Where the chunks are of a region whose record begins here, in order; one that it has twice once. */
    public static Map<Fingerprint, ChunkLocation> of(List<ChunkRef> chunks, ContainerPosition at, int storedBytes) {
        Map<Fingerprint, ChunkLocation> places = new LinkedHashMap<>();
        for (ChunkRef chunk : chunks) {
            places.put(
                    chunk.fingerprint(), new ChunkLocation(at.container(), at.offset(), storedBytes, chunk.length()));
        }
        return places;
    }

    // Written out as in ChunkRef.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ChunkLocation that
                && container == that.container
                && offset == that.offset
                && storedBytes == that.storedBytes
                && plainBytes == that.plainBytes;
    }

    @Override
    public int hashCode() {
        return 31 * container + offset;
    }

    /** Where its record begins. */
    public ContainerPosition position() {
        return new ContainerPosition(container, offset);
    }

    /** Writes {@link #BYTES} bytes at the position of {@code target}, which must be big-endian. */
    public void write(ByteBuffer target) {
        target.putInt(container).putInt(offset).putInt(storedBytes).putInt(plainBytes);
    }

    /** Reads one. */
    public static ChunkLocation read(BodyReader in) throws DamagedDataException {
        return new ChunkLocation(
                in.length("container", Integer.MAX_VALUE),
                in.length("offset", Integer.MAX_VALUE),
                in.length("stored length", Integer.MAX_VALUE),
                in.length("chunk length", Integer.MAX_VALUE));
    }
}
