// SPDX-License-Identifier: Apache-2.0
/**
 * Which snapshots there are, a file each: {@code docs/formats/snapshot.md}.
 * {@link io.shredder.backup.agent.catalogue.Catalogue} lists and publishes,
 * {@link io.shredder.backup.agent.catalogue.SnapshotDraft} writes,
 * {@link io.shredder.backup.agent.catalogue.SnapshotFile} reads. Pages that lists share lie in
 * {@link io.shredder.backup.agent.catalogue.PagePacks}.
 */
@NullMarked
package io.shredder.backup.agent.catalogue;

import org.jspecify.annotations.NullMarked;
