// SPDX-License-Identifier: Apache-2.0
/**
 * The daemon's work: {@link io.shredder.backup.schedule.JobScheduler} starts jobs when they are due, {@link
 * io.shredder.backup.server.job.JobRun} backs up a job's images, {@link io.shredder.backup.schedule.RunHistory}
 * remembers.
 */
@NullMarked
package io.shredder.backup.server.job;

import org.jspecify.annotations.NullMarked;
