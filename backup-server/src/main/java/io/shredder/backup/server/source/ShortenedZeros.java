// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.source;

import io.shredder.chunk.ChunkingParams;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Takes whole chunks out of long runs of zeros before an image is chunked, and knows where to put them in again, so
 * that the chunks are those of the whole image, to the byte.
 *
 * <p>Why that is exact: a fingerprint of 48 zeros is 0, and the marker never is. So from 48 bytes into a run of zeros
 * there is no candidate, and every chunk that begins there, with {@code max} zeros before it, is the chunk of
 * {@code max} zeros. A run that is shortened by a multiple of {@code max} therefore has the same cuts before and
 * behind, and lacks only such chunks. Kept are {@value #KEPT_CHUNKS} times {@code max} zeros, enough to contain one
 * such chunk whole wherever the run's first cut is.
 *
 * <p>The reader shortens, another thread restores; nothing else is shared.
 */
final class ShortenedZeros {

    private static final int KEPT_CHUNKS = 3;

    /** A run that begins at this offset of the shortened stream and lacks this many chunks. */
    private record Run(long offset, long chunks) {}

    private final Queue<Run> runs = new ConcurrentLinkedQueue<>();
    private final int maxChunkBytes;
    private final boolean possible;

    ShortenedZeros(ChunkingParams params) {
        this.maxChunkBytes = params.maxBytes();
        this.possible = params.maxBytes() >= ChunkingParams.WINDOW_BYTES && !params.hasSegments();
    }

    /**
     * What is to be chunked of a run of zeros, all of it or less; what is left out is remembered.
     *
     * @param offset where the run begins in the shortened stream
     */
    long shorten(long offset, long zeroBytes) {
        long chunks = possible ? zeroBytes / maxChunkBytes - KEPT_CHUNKS : 0;
        if (chunks <= 0) {
            return zeroBytes;
        }
        runs.add(new Run(offset, chunks));
        return zeroBytes - chunks * maxChunkBytes;
    }

    /**
     * How many copies of this chunk were left out behind it; 0 for most. To be asked for every chunk, in order.
     *
     * @param offset of the chunk in the shortened stream
     */
    long leftOutAt(long offset, int bytes) {
        Run run = runs.peek();
        if (run == null || offset < run.offset() + ChunkingParams.WINDOW_BYTES) {
            return 0;
        }
        if (bytes != maxChunkBytes) {
            throw new IllegalStateException(
                    "a chunk of zeros at " + offset + " has " + bytes + " bytes, not " + maxChunkBytes);
        }
        runs.remove();
        return run.chunks();
    }
}
