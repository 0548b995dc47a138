// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.memo;

import io.shredder.chunk.Fingerprint;
import java.util.List;

/**
 * One chunk's map output in a memo file.
 *
 * @param fingerprint of the chunk that was mapped
 * @param reuse whether later jobs may use it
 * @param segments one a reduce partition, in order
 * @param counters what the map added to the job's counters; zeros are left out
 */
public record MemoEntry(Fingerprint fingerprint, Reuse reuse, List<SegmentRef> segments, List<CounterValue> counters) {

    public MemoEntry {
        segments = List.copyOf(segments);
        counters = List.copyOf(counters);
    }
}
