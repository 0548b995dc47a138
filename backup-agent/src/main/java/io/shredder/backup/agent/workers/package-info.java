// SPDX-License-Identifier: Apache-2.0
/**
 * The threads that all sessions of a repository share: {@link io.shredder.backup.agent.workers.Workers}.
 * {@link io.shredder.backup.agent.workers.Ahead} has them work ahead of who asks.
 */
@NullMarked
package io.shredder.backup.agent.workers;

import org.jspecify.annotations.NullMarked;
