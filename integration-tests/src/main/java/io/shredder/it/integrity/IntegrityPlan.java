// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.integrity;

import io.shredder.chunk.DigestAlgorithm;
import java.util.List;
import java.util.Set;

/**
 * What is to be measured.
 *
 * @param links one after another; neighbours are measured at the last that this machine can hold
 * @param neighbours whether those are measured, too, with all three workloads
 * @param gpu whether a GPU cuts and digests as well
 * @param digest of blocks
 * @param seed of all contents
 */
record IntegrityPlan(
        Amounts amounts,
        List<LinkRate> links,
        Set<Workload> workloads,
        boolean neighbours,
        boolean gpu,
        DigestAlgorithm digest,
        long seed) {
    IntegrityPlan {
        links = List.copyOf(links);
        workloads = Set.copyOf(workloads);
    }
}
