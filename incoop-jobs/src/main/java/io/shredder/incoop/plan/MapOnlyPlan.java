// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.plan;

import io.shredder.chunk.Fingerprint;
import io.shredder.incoop.memo.MemoCatalog.MemoRef;
import java.util.List;

/**
 * What the tasks of a job without reducers have to do.
 *
 * @param memoRoot the memo store's folder, qualified
 * @param identity the job's identity
 * @param splits of the job's own, of either API, in the order of a plain run, that have to be mapped
 * @param kept the part files of all others; each list is for one task
 */
public record MapOnlyPlan(String memoRoot, Fingerprint identity, List<Object> splits, List<List<KeptPart>> kept) {

    /**
     * A part file that an earlier run has given.
     *
     * @param number of its map task in a plain run, which names it
     * @param key what the memo store knows it by
     * @param ref where it lies
     * @param splitBytes how long the split is as its job's submission would write it
     */
    public record KeptPart(int number, Fingerprint key, MemoRef ref, int splitBytes) {}

    public MapOnlyPlan {
        splits = List.copyOf(splits);
        kept = List.copyOf(kept);
    }
}
