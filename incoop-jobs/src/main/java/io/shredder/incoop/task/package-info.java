// SPDX-License-Identifier: Apache-2.0
/**
 * What runs in the tasks of an incremental job. Begin with {@link io.shredder.incoop.task.ChunkRunner}, which gives one
 * chunk a mapper of its own and takes its sorted, combined output; {@link io.shredder.incoop.task.IncrementalMapper}
 * does so for the chunks of a map task, {@link io.shredder.incoop.task.IncrementalShuffle} merges what all chunks gave.
 */
@NullMarked
package io.shredder.incoop.task;

import org.jspecify.annotations.NullMarked;
