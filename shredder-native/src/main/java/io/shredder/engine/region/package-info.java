// SPDX-License-Identifier: Apache-2.0
/**
 * Regions of a backup, opened and proved in one native call: {@link io.shredder.engine.region.RegionReader}. Built on
 * the engine's kernels; the engine knows nothing of it.
 */
@NullMarked
package io.shredder.engine.region;

import org.jspecify.annotations.NullMarked;
