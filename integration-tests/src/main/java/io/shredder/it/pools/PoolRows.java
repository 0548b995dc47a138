// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.pools;

import io.shredder.it.programs.ProgramRow;

/** What rows of {@code shredder_pools} simulate, as {@code native/measure/shredder_pools.cpp} describes them. */
public final class PoolRows {
    private PoolRows() {}

    /** A policy on so many nodes, everything else at the paper's values. */
    public static ProgramRow of(String policy, int nodes) {
        return ProgramRow.named(policy + " on " + nodes).with("policy", policy).with("nodes", nodes);
    }
}
