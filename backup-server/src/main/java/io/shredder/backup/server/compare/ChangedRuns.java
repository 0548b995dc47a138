// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.compare;

import io.shredder.backup.server.cache.CachedRun;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * The chunks of a segment that changed, those that follow each other as one run.
 *
 * @param runs ascending
 * @param unchanged where the others begin, in the image
 */
record ChangedRuns(List<Run> runs, Set<Long> unchanged) {

    /** Bytes of the image. */
    record Run(long offset, long end) {}

    static ChangedRuns of(Segment segment, BitSet unchanged) {
        List<Run> runs = new ArrayList<>();
        Set<Long> others = new HashSet<>();
        long at = segment.offset();
        int bit = 0;
        for (CachedRun run : segment.runs()) {
            for (int copy = 0; copy < run.count(); copy++, bit++) {
                long end = at + run.chunk().length();
                int last = runs.size() - 1;
                if (unchanged.get(bit)) {
                    others.add(at);
                } else if (last >= 0 && runs.get(last).end() == at) {
                    runs.set(last, new Run(runs.get(last).offset(), end));
                } else {
                    runs.add(new Run(at, end));
                }
                at = end;
            }
        }
        return new ChangedRuns(runs, others);
    }

    boolean isUnchangedAt(long offset) {
        return unchanged.contains(offset);
    }

    /** Length of all runs. */
    long bytes() {
        return runs.stream().mapToLong(run -> run.end() - run.offset()).sum();
    }

    /** Where the last one ends. */
    long end() {
        return runs.get(runs.size() - 1).end();
    }
}
