// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.source;

import io.shredder.chunk.ChunkingParams;
import io.shredder.chunk.DigestAlgorithm;
import java.util.Optional;

/**
 * How images are to be cut and their chunks digested, as far as somebody chose it.
 *
 * @param lengths where cuts are; its digest means nothing
 * @param digest empty for what the snapshots before have, or {@link #DEFAULT_DIGEST} if there are none: equal chunks
 *     are found by equal digests only
 */
public record ImageCuts(ChunkingParams lengths, Optional<DigestAlgorithm> digest) {

    /** What a client's first snapshot gets: as hard to deceive as SHA-256, in half the time. */
    public static final DigestAlgorithm DEFAULT_DIGEST = DigestAlgorithm.BLAKE3;

    /** Chunks of 64 KiB on average, by the digest of the snapshots before. */
    public static ImageCuts usual() {
        return new ImageCuts(ChunkingParams.builder().build(), Optional.empty());
    }
}
