// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.care;

import io.shredder.backup.care.CareLedger;
import io.shredder.backup.schedule.JobStatus;
import java.util.Map;
import java.util.Optional;

/**
 * How some care of an agent's own stands.
 *
 * @param status when it runs next, and what came of its last run since the agent's start
 * @param schedule as the file says it
 * @param figures of its last run since the agent's start, by name
 * @param turn how far a verification is; empty for others, and before its first run
 */
public record CareStanding(
        JobStatus status, String schedule, Map<String, Long> figures, Optional<CareLedger.Turn> turn) {

    /** Keeps a copy. */
    public CareStanding {
        figures = Map.copyOf(figures);
    }
}
