// SPDX-License-Identifier: Apache-2.0
package io.shredder.chunk;

/**
 * Chooses cuts among candidates: {@code docs/formats/chunking.md}, sections 3 and 4. Fed one position after the other.
 *
 * <p>Not safe for use by several threads.
 */
final class CutSelector {

    /** What a position turned out to be. */
    enum Cut {
        /** No chunk ends here. */
        NONE,
        /** A chunk ends here. */
        CHUNK,
        /** A chunk and a segment end here. */
        SEGMENT
    }

    private final ChunkingParams params;
    private final long chunkMask;
    private final long segmentMask;
    private long chunkBytes;
    private long segmentBytes;

    CutSelector(ChunkingParams params) {
        this.params = params;
        this.chunkMask = lowBits(params.maskBits());
        this.segmentMask = lowBits(params.segmentMaskBits());
    }

    /** Whether a chunk ends behind the byte whose position has this fingerprint. */
    Cut accept(long fingerprint) {
        chunkBytes++;
        segmentBytes++;
        boolean candidate = matches(fingerprint, chunkMask);
        if (!(candidate && chunkBytes >= params.minBytes()) && chunkBytes != params.maxBytes()) {
            return Cut.NONE;
        }
        chunkBytes = 0;
        if (!params.hasSegments() || !endsSegment(fingerprint)) {
            return Cut.CHUNK;
        }
        segmentBytes = 0;
        return Cut.SEGMENT;
    }

    private boolean endsSegment(long fingerprint) {
        boolean strong = segmentBytes >= params.segmentMinBytes() && matches(fingerprint, segmentMask);
        return strong || segmentBytes > params.segmentMaxBytes() - params.maxBytes();
    }

    private boolean matches(long fingerprint, long mask) {
        return ((fingerprint ^ params.marker()) & mask) == 0;
    }

    private static long lowBits(int count) {
        return (1L << count) - 1;
    }
}
