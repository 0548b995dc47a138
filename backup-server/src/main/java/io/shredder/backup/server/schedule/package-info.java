// SPDX-License-Identifier: Apache-2.0
/**
 * When jobs run: {@link io.shredder.backup.server.schedule.Timetable} decides, given the time. There is no thread and
 * no clock here.
 */
@NullMarked
package io.shredder.backup.server.schedule;

import org.jspecify.annotations.NullMarked;
