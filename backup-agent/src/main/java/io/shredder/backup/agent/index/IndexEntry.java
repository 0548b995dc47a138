// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;

/**
 * A put or a removal, {@value #BYTES} bytes: fingerprint 32, container 4, offset 4, stored length 4, plain length 4. A
 * removal's location is all zeros, and no container has number 0. Ordered by fingerprint alone.
 *
 * @param fingerprint of the chunk
 * @param location where it is kept, zeros for a removal
 */
record IndexEntry(Fingerprint fingerprint, ChunkLocation location) {

    static final int BYTES = Fingerprint.BYTES + ChunkLocation.BYTES;

    /** The location of a removal. */
    static final ChunkLocation NOWHERE = new ChunkLocation(0, 0, 0, 0);

    static boolean isRemoval(ChunkLocation location) {
        return location.container() == 0;
    }

    /** Writes {@link #BYTES} bytes at the position of {@code target}, which must be big-endian. */
    void write(ByteBuffer target) {
        fingerprint.write(target);
        location.write(target);
    }

    /** Reads the next {@link #BYTES} bytes of {@code source}, which lie at {@code offset} of {@code file}. */
    static IndexEntry read(ByteBuffer source, String file, long offset) throws DamagedDataException {
        return new IndexEntry(Fingerprint.read(source), location(source, file, offset + Fingerprint.BYTES));
    }

    /** Reads the 16 bytes of a location. */
    static ChunkLocation location(ByteBuffer source, String file, long offset) throws DamagedDataException {
        ChunkLocation location = new ChunkLocation(source.getInt(), source.getInt(), source.getInt(), source.getInt());
        if ((location.container() | location.offset() | location.storedBytes() | location.plainBytes()) < 0) {
            throw new DamagedDataException(file, offset, "a location with a number above 2^31");
        }
        return location;
    }
}
