// SPDX-License-Identifier: Apache-2.0
/**
 * How a source site talks to an agent. {@link io.shredder.backup.client.AgentClient} has a method for each
 * request; {@link io.shredder.backup.client.SocketRoute} is the connection that they go over.
 */
@NullMarked
package io.shredder.backup.client;

import org.jspecify.annotations.NullMarked;
