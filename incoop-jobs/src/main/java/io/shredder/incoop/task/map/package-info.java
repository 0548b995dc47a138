// SPDX-License-Identifier: Apache-2.0
/**
 * Map tasks of jobs that reduce. {@link io.shredder.incoop.task.map.IncrementalInputFormat} asks for the plan at
 * submission, {@link io.shredder.incoop.task.map.ChunkGroupMap} maps the chunks of one group and keeps what they give.
 */
@NullMarked
package io.shredder.incoop.task.map;

import org.jspecify.annotations.NullMarked;
