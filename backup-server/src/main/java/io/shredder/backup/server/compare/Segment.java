// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.compare;

import io.shredder.backup.server.cache.CachedRun;
import io.shredder.backup.server.cache.Pieces;
import java.util.List;

/**
 * Some consecutive chunks of the old image that are compared together: about a mebibyte, or one long run of equal
 * chunks.
 *
 * @param offset where the first begins
 * @param runs not empty
 */
record Segment(long offset, List<CachedRun> runs) {

    /** Copies the list. */
    Segment {
        runs = List.copyOf(runs);
    }

    long bytes() {
        return runs.stream().mapToLong(CachedRun::bytes).sum();
    }

    long end() {
        return offset + bytes();
    }

    /** Of each piece of each chunk. */
    int[] pieceLengths() {
        int[] lengths = new int[pieces()];
        int i = 0;
        for (CachedRun run : runs) {
            int[] ofChunk =
                    Pieces.lengths(run.chunk().length(), run.chunk().pieces().first());
            for (int copy = 0; copy < run.count(); copy++) {
                System.arraycopy(ofChunk, 0, lengths, i, ofChunk.length);
                i += ofChunk.length;
            }
        }
        return lengths;
    }

    private int pieces() {
        return runs.stream()
                .mapToInt(run -> run.count() * run.chunk().pieces().tags().count())
                .sum();
    }
}
