// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.backup;

import io.shredder.backup.region.ChunkRef;
import org.jspecify.annotations.Nullable;

/**
 * Says where the pages of a shared list begin, by the chunks alone, so that behind a change they soon begin where they
 * did before. A page ends behind a chunk whose identity says so, which is as good as random. It has at least
 * {@value #MIN_CHUNKS} chunks and at most {@value #MAX_CHUNKS}. A run of one chunk counts once. One thread.
 */
final class PageCutter {

    static final int MIN_CHUNKS = 512;
    static final int MAX_CHUNKS = 2048;

    /** One chunk in so many, a power of two, may end a page. */
    private static final int CHUNKS_PER_END = 512;

    /** Not the bits that say where regions end. */
    private static final int SHIFT = 8;

    private @Nullable ChunkRef last;
    private int chunks;

    /** Takes the next chunk; returns whether a page begins with it, as with the first chunk of a list. */
    boolean begins(ChunkRef chunk) {
        if (chunk.equals(last)) {
            return false;
        }
        boolean begins = last == null || chunks == MAX_CHUNKS || (chunks >= MIN_CHUNKS && mayEndBehind(last));
        chunks = begins ? 1 : chunks + 1;
        last = chunk;
        return begins;
    }

    private static boolean mayEndBehind(ChunkRef chunk) {
        return ((chunk.fingerprint().hashCode() >>> SHIFT) & (CHUNKS_PER_END - 1)) == 0;
    }
}
