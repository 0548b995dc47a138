// SPDX-License-Identifier: Apache-2.0
/**
 * How a source site talks to an agent. START HERE: {@link io.shredder.backup.client.AgentClient} is one connection, with a method for
 * each request.
 */
@NullMarked
package io.shredder.backup.client;

import org.jspecify.annotations.NullMarked;
