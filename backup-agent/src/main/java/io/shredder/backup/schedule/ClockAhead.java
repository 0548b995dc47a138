// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.schedule;

import java.time.Duration;
import java.time.Instant;

/** A clock that was ahead once, such as a machine's before NTP has set it, and has left times that are to come. */
public final class ClockAhead {

    /** A clock that is set back by less has nothing wait for long. */
    private static final Duration MOST = Duration.ofDays(1);

    private ClockAhead() {}

    /** Whether a time that was noted when it had come is so far to come that the clock was wrong. */
    public static boolean was(Instant noted, Instant now) {
        return noted.isAfter(now.plus(MOST));
    }
}
