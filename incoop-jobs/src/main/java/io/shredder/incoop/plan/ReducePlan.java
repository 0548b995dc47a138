// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.plan;

import io.shredder.chunk.Fingerprint;
import io.shredder.incoop.memo.CounterValue;
import java.util.List;
import java.util.Optional;

/**
 * What the reduce tasks need not do.
 *
 * @param combines whether the job has a combiner, and so a contraction tree
 * @param reduceIdentity of the job's reduce side; empty if its part files are not kept
 * @param nodes kept nodes of all partitions, by segment key: those that no other kept node stands above
 * @param parts kept part files of all partitions, by key
 * @param reusedCounters what the maps that do not run would have counted
 */
public record ReducePlan(
        boolean combines,
        Optional<Fingerprint> reduceIdentity,
        KeptRefs nodes,
        KeptRefs parts,
        List<CounterValue> reusedCounters) {

    public ReducePlan {
        reusedCounters = List.copyOf(reusedCounters);
    }
}
