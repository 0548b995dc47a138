// SPDX-License-Identifier: Apache-2.0
/** What people are shown of the agent's snapshots by the daemon, and have it restore and open. */
@NullMarked
package io.shredder.backup.server.recovery;

import org.jspecify.annotations.NullMarked;
