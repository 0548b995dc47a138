// SPDX-License-Identifier: Apache-2.0
/**
 * What a backup keeps at the source site of a series' last snapshot: {@code docs/formats/cache.md}. Nothing depends on
 * it but speed. Start at {@link io.shredder.backup.server.cache.SnapshotCaches}.
 */
@NullMarked
package io.shredder.backup.server.cache;

import org.jspecify.annotations.NullMarked;
