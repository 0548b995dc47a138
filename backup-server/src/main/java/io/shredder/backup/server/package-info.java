// SPDX-License-Identifier: Apache-2.0
/**
 * The source site. {@link io.shredder.backup.server.backup.BackupSession} is one backup, {@link
 * io.shredder.backup.server.restore.RestoreSession} the way back, {@link
 * io.shredder.backup.server.cli.ShredderBackupMain} the operator's commands, {@link
 * io.shredder.backup.server.cli.BackupServerMain} the daemon.
 */
@NullMarked
package io.shredder.backup.server;

import org.jspecify.annotations.NullMarked;
