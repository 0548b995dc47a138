// SPDX-License-Identifier: Apache-2.0
/**
 * The source site. START HERE: {@link io.shredder.backup.server.BackupSession} is one backup, {@link
 * io.shredder.backup.server.RestoreSession} the way back, {@link io.shredder.backup.server.ShredderBackupMain} the
 * operator's commands, {@link io.shredder.backup.server.BackupServerMain} the daemon.
 */
@NullMarked
package io.shredder.backup.server;

import org.jspecify.annotations.NullMarked;
