// SPDX-License-Identifier: Apache-2.0
/**
 * Clients over the network. {@link io.shredder.backup.agent.net.AgentDaemon} listens,
 * {@link io.shredder.backup.agent.net.AgentConnection} carries frames, and
 * {@link io.shredder.backup.agent.net.ClientWorker} is the thread that has a session answer them.
 */
@NullMarked
package io.shredder.backup.agent.net;

import org.jspecify.annotations.NullMarked;
