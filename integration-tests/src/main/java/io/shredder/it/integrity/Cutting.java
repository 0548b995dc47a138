// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.integrity;

import io.shredder.backup.region.RegionFormat;
import io.shredder.chunk.ChunkingParams;
import io.shredder.chunk.DigestAlgorithm;

/**
 * How a file is divided into blocks.
 *
 * @param byContent whether contents decide, else the length alone
 * @param blockBytes of each block but the last; by content the average, with a quarter of it as least and four times as
 *     most: at 1 MiB the paper's 256 KiB and 4 MiB, which make 1.2 MB on average. A power of two
 */
public record Cutting(boolean byContent, int blockBytes) {
    public Cutting {
        if (Integer.bitCount(blockBytes) != 1 || blockBytes > RegionFormat.MAX_CHUNK_BYTES) {
            throw new IllegalArgumentException(
                    "blocks of " + blockBytes + " bytes: give a power of two up to " + RegionFormat.MAX_CHUNK_BYTES);
        }
    }

    /** As an engine takes it: by length alone, no block may be shorter or longer than the average. */
    ChunkingParams params(DigestAlgorithm digest) {
        return ChunkingParams.builder()
                .averageBytes(blockBytes)
                .minBytes(byContent ? blockBytes / 4 : blockBytes)
                .maxBytes(byContent ? Math.min(4 * blockBytes, RegionFormat.MAX_CHUNK_BYTES) : blockBytes)
                .digest(digest)
                .build();
    }

    /** In rows and tables. */
    String title() {
        String size = blockBytes >= 1 << 20 ? (blockBytes >> 20) + " MiB" : (blockBytes >> 10) + " KiB";
        return (byContent ? "by content, " : "fixed, ") + size;
    }
}
