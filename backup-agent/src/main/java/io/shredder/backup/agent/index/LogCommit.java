// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import io.shredder.backup.agent.container.ContainerPosition;
import java.util.List;

/**
 * What one commit makes durable.
 *
 * @param entries what was put and removed, in order
 * @param covered up to where the containers are covered
 */
record LogCommit(List<IndexEntry> entries, ContainerPosition covered) {}
