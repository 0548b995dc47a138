// SPDX-License-Identifier: Apache-2.0
/**
 * What the daemon has done, kept for years in the folder {@code history} of its state: {@link
 * io.shredder.backup.server.history.DaemonHistory} is told and asked. {@code docs/formats/history.md} has every byte.
 */
@NullMarked
package io.shredder.backup.server.history;

import org.jspecify.annotations.NullMarked;
