// SPDX-License-Identifier: Apache-2.0
/**
 * {@code ./run bench integrity}: a store's write path with no digests, with those of the CPU, of a GPU, and of an
 * oracle, for figures 7 to 17 of HashGPU and MosaStore. {@link io.shredder.it.integrity.IntegrityBenchCommand} is the
 * way in, {@link io.shredder.it.integrity.WritePath} what is measured.
 */
@NullMarked
package io.shredder.it.integrity;

import org.jspecify.annotations.NullMarked;
