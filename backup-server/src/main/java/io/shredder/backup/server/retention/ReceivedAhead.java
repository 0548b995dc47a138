// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.retention;

import io.shredder.backup.snapshot.SnapshotInfo;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** Snapshots whose agent had a clock that was ahead: beside one of a time to come, rules take all others for old. */
public final class ReceivedAhead {

    /** By how much clocks may differ. */
    private static final Duration PATIENCE = Duration.ofHours(1);

    private ReceivedAhead() {}

    /**
     * Why rules may not judge a series, if so.
     *
     * @param newest of the series
     * @param name what it is called
     */
    public static Optional<String> objection(SnapshotInfo newest, String name, Instant now) {
        return newest.received().isAfter(now.plus(PATIENCE))
                ? Optional.of(name + " was received at " + newest.received()
                        + ", which is to come: set the clock of the agent's machine, or of this one")
                : Optional.empty();
    }
}
