// SPDX-License-Identifier: Apache-2.0
/**
 * One chunk's map. {@link io.shredder.incoop.task.chunk.ChunkRunner} gives it a mapper of its own, of either
 * API, and takes its sorted, combined output.
 */
@NullMarked
package io.shredder.incoop.task.chunk;

import org.jspecify.annotations.NullMarked;
