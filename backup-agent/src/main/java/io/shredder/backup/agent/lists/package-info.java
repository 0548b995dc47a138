// SPDX-License-Identifier: Apache-2.0
/**
 * Snapshots' files, and the pages of their lists: {@code docs/formats/snapshot.md}.
 * {@link io.shredder.backup.agent.lists.SnapshotDraft} writes one, {@link io.shredder.backup.agent.lists.SnapshotFile}
 * reads one, and {@link io.shredder.backup.agent.lists.PagePacks} keeps the pages that lists share.
 */
@NullMarked
package io.shredder.backup.agent.lists;

import org.jspecify.annotations.NullMarked;
