// SPDX-License-Identifier: Apache-2.0
/**
 * When work of a daemon runs and how fast, at both sites. {@link io.shredder.backup.schedule.Timetable} and
 * {@link io.shredder.backup.schedule.QuietTimes} decide, given the time, without thread or clock;
 * {@link io.shredder.backup.schedule.JobScheduler} starts what is due.
 */
@NullMarked
package io.shredder.backup.schedule;

import org.jspecify.annotations.NullMarked;
