// SPDX-License-Identifier: Apache-2.0
/**
 * What is known of a snapshot, as values that are kept: {@link io.shredder.backup.snapshot.SnapshotInfo} is one without
 * its list, {@link io.shredder.backup.snapshot.ListPage} a page of its list.
 */
@NullMarked
package io.shredder.backup.snapshot;

import org.jspecify.annotations.NullMarked;
