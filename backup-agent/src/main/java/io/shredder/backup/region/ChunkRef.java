// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.region;

import io.shredder.chunk.Fingerprint;
import org.jspecify.annotations.Nullable;

/**
 * A pointer to a chunk, as images hold them in order.
 *
 * @param length of the chunk in bytes, before compression
 * @param fingerprint its identity: keyed, so that only whoever has the repository key can tell which bytes have it
 */
public record ChunkRef(int length, Fingerprint fingerprint) {

    /** Refuses lengths that no chunk has. */
    public ChunkRef {
        if (length < 1 || length > RegionFormat.MAX_CHUNK_BYTES) {
            throw new IllegalArgumentException(
                    "chunk length " + length + " is not from 1 to " + RegionFormat.MAX_CHUNK_BYTES);
        }
    }

    // Written out, like hashCode: what a record is given is put together at its first use, for milliseconds, and stays
    // slow where only C1 compiles.
    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof ChunkRef that && length == that.length && fingerprint.equals(that.fingerprint);
    }

    @Override
    public int hashCode() {
        return fingerprint.hashCode();
    }
}
