// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.job;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * How a job stands.
 *
 * @param name of the job
 * @param running whether it runs now
 * @param stalledFor for how long nothing has advanced of a backup that is under way; empty while that is no longer than
 *     usual
 * @param lastEnd when its last run under this daemon ended
 * @param lastOk whether all images of that run succeeded
 * @param nextStart when it runs next; empty if only commands start it
 */
public record JobStatus(
        String name,
        boolean running,
        Optional<Duration> stalledFor,
        Optional<Instant> lastEnd,
        Optional<Boolean> lastOk,
        Optional<Instant> nextStart) {}
