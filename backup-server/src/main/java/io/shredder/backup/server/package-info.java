// SPDX-License-Identifier: Apache-2.0
/**
 * The source site. START HERE: {@link io.shredder.backup.server.BackupSession} is one backup, {@link
 * io.shredder.backup.server.RestoreSession} the way back, {@link io.shredder.backup.server.BackupServerMain} the command line.
 */
@NullMarked
package io.shredder.backup.server;

import org.jspecify.annotations.NullMarked;
