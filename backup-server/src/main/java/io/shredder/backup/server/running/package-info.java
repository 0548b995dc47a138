// SPDX-License-Identifier: Apache-2.0
/**
 * Backups of machines while they run: {@link io.shredder.backup.server.running.RunningMachine} holds all disks of one
 * at one moment, says what changed since a moment before, and lets {@link
 * io.shredder.backup.server.running.RunningBackup} read them while the machine writes on.
 */
@NullMarked
package io.shredder.backup.server.running;

import org.jspecify.annotations.NullMarked;
