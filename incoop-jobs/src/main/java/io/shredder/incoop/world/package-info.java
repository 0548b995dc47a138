// SPDX-License-Identifier: Apache-2.0
/**
 * A world of its own for every chunk's mapper, and what is seen from outside of what it does. {@link
 * io.shredder.incoop.world.Worlds} gives each chunk class loaders whose statics are as new. The agent tells
 * {@link io.shredder.incoop.world.Sightings} what the job's code asks for. That decides whether the chunk's output may
 * be kept, under which {@link io.shredder.incoop.memo.Dependency dependencies}, or whether the job has to run plainly.
 */
@NullMarked
package io.shredder.incoop.world;

import org.jspecify.annotations.NullMarked;
