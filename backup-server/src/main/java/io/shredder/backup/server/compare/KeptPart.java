// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.compare;

import io.shredder.backup.seal.Pointer;
import io.shredder.backup.server.cache.CachedChunk;
import java.util.List;

/**
 * Bytes of the new image that the old one has at the same place, in a chunk that is not unchanged.
 *
 * @param offset in the image
 * @param chunk of the old image
 * @param from where in that chunk they begin
 * @param length how many, at least 1
 */
public record KeptPart(long offset, CachedChunk chunk, int from, int length) {

    /** Where they are kept. */
    public List<Pointer> pointers() {
        return chunk.part(from, length);
    }

    long end() {
        return offset + length;
    }

    /** What of it lies between two places, of which some does. */
    KeptPart within(long begin, long end) {
        long first = Math.max(begin, offset);
        return new KeptPart(first, chunk, from + (int) (first - offset), (int) (Math.min(end, end()) - first));
    }
}
