// SPDX-License-Identifier: Apache-2.0
/**
 * The agent at the backup site. START HERE: {@link io.shredder.backup.agent.ClientSession} answers one client's
 * requests, one after another. {@link io.shredder.backup.agent.AgentDaemon} listens,
 * {@link io.shredder.backup.agent.AgentConnection} carries frames, {@link io.shredder.backup.agent.Repository} is what
 * is kept. {@link io.shredder.backup.agent.LocalAgent} answers without a network, in the process that asks.
 */
@NullMarked
package io.shredder.backup.agent;

import org.jspecify.annotations.NullMarked;
