// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.catalogue;

/**
 * How a series stands.
 *
 * @param snapshots how many there are, at least one
 * @param last the newest, which has the names
 */
public record SeriesStanding(int snapshots, CatalogueEntry last) {}
