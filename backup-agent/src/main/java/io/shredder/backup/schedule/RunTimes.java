// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * When something runs and when not. Immutable.
 *
 * @param timetable when; empty for what only commands start
 * @param quiet when it does not start
 */
public record RunTimes(Optional<Timetable> timetable, QuietTimes quiet) {

    /** So many scheduled times may lie in one quiet time until nothing is said of it. */
    private static final int MOST_WAITING = 2000;

    /**
     * The last scheduled time that should have been seen to by now; empty if there is none.
     *
     * @param patience how long a run may take after its time, its jitter, and a quiet time that kept it
     */
    public Optional<Instant> lastDue(Instant now, Duration patience) {
        if (timetable.isEmpty()) {
            return Optional.empty();
        }
        Timetable times = timetable.get();
        Optional<Instant> due = times.latest(now.minus(times.jitter()).minus(patience));
        for (int i = 0; i < MOST_WAITING && due.isPresent(); i++) {
            Instant start = quiet.endOf(due.get().plus(times.jitter()));
            if (!start.equals(Instant.MAX) && !start.plus(patience).isAfter(now)) {
                return due;
            }
            due = times.latest(due.get().minusMillis(1));
        }
        return Optional.empty();
    }
}
