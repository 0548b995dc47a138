// SPDX-License-Identifier: Apache-2.0
/**
 * What runs in the tasks of an incremental job: here what all of them share. Begin with {@link
 * io.shredder.incoop.task.chunk.ChunkRunner}, which gives one chunk a mapper of its own and takes its sorted, combined
 * output; {@link io.shredder.incoop.task.map.IncrementalMapper} does so for the chunks of a map task, {@link
 * io.shredder.incoop.task.reduce.IncrementalShuffle} merges what all chunks gave.
 */
@NullMarked
package io.shredder.incoop.task;

import org.jspecify.annotations.NullMarked;
