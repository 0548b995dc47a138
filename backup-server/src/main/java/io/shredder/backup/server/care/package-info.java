// SPDX-License-Identifier: Apache-2.0
/** Care of what is kept, by the daemon: verified in turn, copied to a second agent, started in throw-away machines. */
@NullMarked
package io.shredder.backup.server.care;

import org.jspecify.annotations.NullMarked;
