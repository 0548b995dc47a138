// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.snapshot;

import io.shredder.backup.region.ChunkRef;

/**
 * Where regions end. Only the agent notes which chunks are stored together, so a restore asks for stretches that begin
 * and end where regions are likely to. The identity of the chunk before tells some ends, and it is as good as random.
 * Only speed depends on that: regions may end anywhere.
 */
public final class RegionBounds {

    /**
     * The most plain bytes of a region's chunks, but for a single longer chunk: the longest chunk, by default. Longer
     * regions would be stored in less, but live longer: what is dead in a region takes space until all of it is.
     */
    public static final int MAX_BYTES = 256 << 10;

    /** One chunk in so many, a power of two, is the last of its region. */
    private static final int CHUNKS_PER_END = 16;

    private RegionBounds() {}

    /** Whether a region ends behind this chunk, however short it is. */
    public static boolean endBehind(ChunkRef chunk) {
        return (chunk.fingerprint().hashCode() & (CHUNKS_PER_END - 1)) == 0;
    }
}
