// SPDX-License-Identifier: Apache-2.0
/**
 * Goes through an image beside the cache of its last snapshot, so that only what changed is cut and digested. Start at
 * {@link io.shredder.backup.server.compare.ImageComparison}.
 */
@NullMarked
package io.shredder.backup.server.compare;

import org.jspecify.annotations.NullMarked;
