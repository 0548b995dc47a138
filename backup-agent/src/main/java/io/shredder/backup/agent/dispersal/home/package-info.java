// SPDX-License-Identifier: Apache-2.0
/**
 * Places where a keeper's files may be. Begin with {@link io.shredder.backup.agent.dispersal.home.KeeperHome}.
 */
@NullMarked
package io.shredder.backup.agent.dispersal.home;

import org.jspecify.annotations.NullMarked;
