// SPDX-License-Identifier: Apache-2.0
/**
 * A split that the job's own reader and mapper take as a whole, as in a plain run, while they are watched: {@link
 * io.shredder.incoop.task.split.SplitWatch}.
 */
@NullMarked
package io.shredder.incoop.task.split;

import org.jspecify.annotations.NullMarked;
