// SPDX-License-Identifier: Apache-2.0
/**
 * Keepers on other machines, which {@code backup-agent keep} offers there, as the agent sees them. Begin with
 * {@link io.shredder.backup.agent.dispersal.remote.RemoteHome}.
 */
@NullMarked
package io.shredder.backup.agent.dispersal.remote;

import org.jspecify.annotations.NullMarked;
