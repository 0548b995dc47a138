// SPDX-License-Identifier: Apache-2.0
/**
 * Part files. {@link io.shredder.incoop.task.output.IncrementalOutputFormat} has them written, and kept, or brings
 * those of an earlier run.
 */
@NullMarked
package io.shredder.incoop.task.output;

import org.jspecify.annotations.NullMarked;
