// SPDX-License-Identifier: Apache-2.0
/**
 * Work on snapshots that an agent has already: copies and repairs between two agents, differences, verifications and
 * collections.
 */
@NullMarked
package io.shredder.backup.server.transfer;

import org.jspecify.annotations.NullMarked;
