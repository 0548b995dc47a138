// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.collect;

import io.shredder.backup.agent.collect.SweepPlan.Use;
import java.util.List;

/**
 * Containers that hold little though all of it lives: where files can't be appended to again, each start of an agent
 * leaves one, or even each commit. Sweeping several together joins them.
 */
final class SmallContainers {

    /** Smaller ones are worth joining: an eighth of a full one. */
    static final long SMALL_BYTES = 8 << 20;

    private SmallContainers() {}

    /** Those of the containers to join; none if there is only one. */
    static List<Use> toJoin(List<Use> containers) {
        List<Use> small =
                containers.stream().filter(use -> use.bytes() < SMALL_BYTES).toList();
        return small.size() > 1 ? small : List.of();
    }
}
