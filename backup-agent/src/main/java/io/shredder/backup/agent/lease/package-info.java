// SPDX-License-Identifier: Apache-2.0
/**
 * One agent has a store: {@link io.shredder.backup.agent.lease.StoreLease} keeps a second one out, wherever the store
 * is.
 */
@NullMarked
package io.shredder.backup.agent.lease;

import org.jspecify.annotations.NullMarked;
