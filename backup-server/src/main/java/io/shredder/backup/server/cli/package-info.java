// SPDX-License-Identifier: Apache-2.0
/**
 * The programs: the operator's commands, the daemon's, and their printing. It knows all other packages, and none knows
 * it.
 */
@NullMarked
package io.shredder.backup.server.cli;

import org.jspecify.annotations.NullMarked;
