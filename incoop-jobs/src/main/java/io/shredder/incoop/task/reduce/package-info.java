// SPDX-License-Identifier: Apache-2.0
/**
 * Reduce tasks. {@link io.shredder.incoop.task.reduce.IncrementalShuffle} brings a partition of all chunks together
 * along the contraction tree: {@link io.shredder.incoop.task.reduce.PartitionInput}. {@link
 * io.shredder.incoop.task.reduce.IncrementalReducer} runs the job's own reducer on it.
 */
@NullMarked
package io.shredder.incoop.task.reduce;

import org.jspecify.annotations.NullMarked;
