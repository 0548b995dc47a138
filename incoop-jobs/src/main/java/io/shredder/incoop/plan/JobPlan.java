// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.plan;

import io.shredder.chunk.Fingerprint;
import java.util.List;

/**
 * What a job's map tasks have to do.
 *
 * @param memoRoot the memo store's folder, qualified
 * @param identity the job's identity
 * @param groups one a map task
 * @param plainSplits of the job's own, of either API, for as many map tasks that map as in a plain run
 */
public record JobPlan(String memoRoot, Fingerprint identity, List<ChunkGroup> groups, List<Object> plainSplits) {

    public JobPlan {
        groups = List.copyOf(groups);
        plainSplits = List.copyOf(plainSplits);
    }
}
