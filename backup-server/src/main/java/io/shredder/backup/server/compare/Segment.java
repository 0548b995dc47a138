// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.compare;

import io.shredder.backup.server.cache.CachedRun;
import java.util.Arrays;
import java.util.List;

/**
 * Some consecutive chunks of the old image that are compared together: about a mebibyte, or one long run of equal chunks.
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

    int chunks() {
        return runs.stream().mapToInt(CachedRun::count).sum();
    }

    /** Of each chunk. */
    int[] lengths() {
        int[] lengths = new int[chunks()];
        int i = 0;
        for (CachedRun run : runs) {
            Arrays.fill(lengths, i, i + run.count(), run.chunk().length());
            i += run.count();
        }
        return lengths;
    }
}
