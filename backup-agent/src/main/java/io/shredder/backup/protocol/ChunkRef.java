// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.protocol;

import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;

/**
 * A pointer to a chunk, as snapshots hold them in order.
 *
 * @param length of the chunk in bytes, before compression
 * @param fingerprint of those bytes
 */
public record ChunkRef(int length, Fingerprint fingerprint) {

    /** Length in messages and in snapshot files. */
    public static final int BYTES = 4 + Fingerprint.BYTES;

    /** Refuses lengths that no chunk has. */
    public ChunkRef {
        if (length < 1 || length > WireFormat.MAX_CHUNK_BYTES) {
            throw new IllegalArgumentException(
                    "chunk length " + length + " is not from 1 to " + WireFormat.MAX_CHUNK_BYTES);
        }
    }

    /** Writes {@link #BYTES} bytes at the position of {@code target}, which must be big-endian. */
    public void write(ByteBuffer target) {
        target.putInt(length);
        fingerprint.write(target);
    }

    /** Reads one pointer. */
    public static ChunkRef read(BodyReader in) throws DamagedDataException {
        int length = in.length("chunk length", WireFormat.MAX_CHUNK_BYTES);
        if (length == 0) {
            throw in.damaged("a chunk of 0 bytes");
        }
        return new ChunkRef(length, in.fingerprint("chunk fingerprint"));
    }
}
