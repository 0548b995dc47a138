// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.memo;

import io.shredder.chunk.Fingerprint;
import java.util.List;

/**
 * One result in a memo file.
 *
 * @param key what the memo store knows it by: {@code docs/formats/memo.md}
 * @param reuse whether later jobs may use it
 * @param segments of leaves, one a reduce partition, in order; else one
 * @param counters what its computation added to the job's counters; zeros are left out
 */
public record MemoEntry(Fingerprint key, Reuse reuse, List<SegmentRef> segments, List<CounterValue> counters) {

    public MemoEntry {
        segments = List.copyOf(segments);
        counters = List.copyOf(counters);
    }
}
