// SPDX-License-Identifier: Apache-2.0
/**
 * The agent at the backup site. {@link io.shredder.backup.agent.session.ClientSession} answers one client's
 * requests, one after another. {@link io.shredder.backup.agent.net} brings them over the network,
 * {@link io.shredder.backup.agent.store.Repository} is what is kept, and {@link io.shredder.backup.agent.cli} has the
 * commands. {@link io.shredder.backup.agent.LocalAgent}, all that other programs may use of it, answers without a
 * network, in the process that asks.
 */
@NullMarked
package io.shredder.backup.agent;

import org.jspecify.annotations.NullMarked;
