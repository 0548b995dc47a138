// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.compare;

import io.shredder.backup.server.cache.Pieces;
import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * What a stretch of the new image was cut into ahead of the place where it is wanted: right only if a cut of the new
 * image is where it begins.
 *
 * @param offset where it begins, which is where an old chunk did
 * @param chunks at least one
 */
record Recut(long offset, List<Chunk> chunks) {

    /** Where the last chunk ends. */
    long end() {
        return offset
                + chunks.stream().mapToLong(chunk -> chunk.data().remaining()).sum();
    }

    /** @param data its bytes, direct, in memory of the segment that it was found in */
    record Chunk(Fingerprint digest, Pieces pieces, ByteBuffer data) {}
}
