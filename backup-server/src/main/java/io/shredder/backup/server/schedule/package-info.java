// SPDX-License-Identifier: Apache-2.0
/**
 * When jobs run. No thread and no clock of its own: {@link io.shredder.backup.server.schedule.Timetable} decides, given
 * the time.
 */
@NullMarked
package io.shredder.backup.server.schedule;

import org.jspecify.annotations.NullMarked;
