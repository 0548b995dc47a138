// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.recovery;

import io.shredder.backup.server.care.PrunePlan;
import io.shredder.backup.server.trust.ProvedSeries;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * An image's series as the agent had it.
 *
 * @param asOf when it was asked
 * @param series as the key proves it
 * @param damaged what is wrong with snapshots that the agent can't list
 * @param alarms what contradicts itself or what this site has seen before
 * @param pruning what its job's rules say of it
 */
public record SeriesView(
        Instant asOf, ProvedSeries series, List<String> damaged, List<String> alarms, Pruning pruning) {

    /** Keeps copies. */
    public SeriesView {
        damaged = List.copyOf(damaged);
        alarms = List.copyOf(alarms);
    }

    /**
     * What the rules say.
     *
     * @param plan what they have deleted and kept; empty if there is nothing to say
     * @param care that prunes by it; empty if none does
     * @param reason why there is no plan, for a message; empty if there is one
     */
    public record Pruning(Optional<PrunePlan> plan, Optional<String> care, String reason) {}
}
