// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine.coding;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Direct memory through which shards go that are in arrays, a tile of each at a time: no array is ever pinned, so
 * the collector never waits. One call's at a time.
 */
final class CodingStage {

    private static final int STAGE_BYTES = 256 << 10;
    private static final int LEAST_TILE_BYTES = 4096;
    private static final int MOST_TILE_BYTES = 64 << 10;

    /** Tiles lie so much further in their pages each, that they don't compete for the same lines of a cache. */
    private static final int STAGGER_BYTES = 64;

    private final ByteBuffer[] tiles;

    CodingStage(ErasureCode code) {
        int tileBytes = tileBytes(code);
        int stride = tileBytes + STAGGER_BYTES;
        ByteBuffer memory = ByteBuffer.allocateDirect(stride * code.shards());
        tiles = new ByteBuffer[code.shards()];
        Arrays.setAll(tiles, i -> memory.slice(i * stride, tileBytes));
    }

    /** How many bytes of each shard go through a stage of this code at a time. */
    static int tileBytes(ErasureCode code) {
        int share = STAGE_BYTES / code.shards() / LEAST_TILE_BYTES * LEAST_TILE_BYTES;
        return Math.max(LEAST_TILE_BYTES, Math.min(MOST_TILE_BYTES, share));
    }

    /** One of as many as the code has shards. */
    ByteBuffer tile(int i) {
        return tiles[i];
    }
}
