// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cache;

import io.shredder.backup.protocol.ChunkRef;
import io.shredder.engine.ChunkTag;

/**
 * Equal chunks of a snapshot, one behind the other.
 *
 * @param chunk length and identity of each
 * @param count how many, at least 1
 * @param tag of each
 */
public record CachedRun(ChunkRef chunk, int count, ChunkTag tag) {

    /** Refuses empty runs. */
    public CachedRun {
        if (count < 1) {
            throw new IllegalArgumentException("a run of " + count + " chunks");
        }
    }

    /** The length of all. */
    public long bytes() {
        return (long) count * chunk.length();
    }

    boolean goesOnWith(ChunkRef next, ChunkTag nextTag) {
        return count < Integer.MAX_VALUE && chunk.equals(next) && tag.equals(nextTag);
    }
}
