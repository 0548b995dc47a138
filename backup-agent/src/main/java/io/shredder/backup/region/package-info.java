// SPDX-License-Identifier: Apache-2.0
/**
 * Chunks in the form in which they travel and are kept. {@link io.shredder.backup.region.StoredRegion} is one chunk, or
 * several that were sealed together.
 */
@NullMarked
package io.shredder.backup.region;

import org.jspecify.annotations.NullMarked;
