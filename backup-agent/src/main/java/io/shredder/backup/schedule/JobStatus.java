// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.schedule;

import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Optional;

/**
 * How a job stands.
 *
 * @param name of the job
 * @param running whether it runs now
 * @param waits what it waits for, though it is due or runs; empty if it doesn't
 * @param stalledFor for how long nothing has advanced of a backup that is under way; empty while that is no longer than
 *     usual
 * @param lastEnd when its last run under this daemon ended
 * @param lastOk whether all images of that run succeeded
 * @param nextStart when it runs next; empty if only commands start it
 * @param progress how far the run is that goes on; empty if none does, or it can't say
 */
public record JobStatus(
        String name,
        boolean running,
        Optional<Wait> waits,
        Optional<Duration> stalledFor,
        Optional<Instant> lastEnd,
        Optional<Boolean> lastOk,
        Optional<Instant> nextStart,
        Optional<RunProgress> progress) {

    /** Of one that waits for nothing. */
    public JobStatus(
            String name,
            boolean running,
            Optional<Duration> stalledFor,
            Optional<Instant> lastEnd,
            Optional<Boolean> lastOk,
            Optional<Instant> nextStart,
            Optional<RunProgress> progress) {
        this(name, running, Optional.empty(), stalledFor, lastEnd, lastOk, nextStart, progress);
    }

    /** What a job may wait for. */
    public enum Wait {
        /** It is due, and quiet times keep it. */
        QUIET,
        /** It runs, and others have all places. */
        PLACE;

        /** In figures and answers. */
        public String word() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
