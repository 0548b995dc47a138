// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.schedule;

import java.time.Instant;

/**
 * What a timetable says now.
 *
 * @param what to do
 * @param time to wait until; or the latest scheduled time, which counts as handled from now on
 */
public record Turn(What what, Instant time) {

    /** What to do. */
    public enum What {
        /** Nothing until the time. */
        WAIT,
        /** Run now. */
        RUN,
        /** Nothing: times were missed and aren't made up for. */
        SKIP
    }
}
