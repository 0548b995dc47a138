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
 */
public record JobPlan(String memoRoot, Fingerprint identity, List<ChunkGroup> groups) {}
