// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.job;

import java.util.UUID;

/**
 * The room that an agent's store has left.
 *
 * @param repository that is kept there
 * @param usableBytes how many can still be added; the largest number where there is no limit
 */
public record StoreRoom(UUID repository, long usableBytes) {}
