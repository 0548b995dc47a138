// SPDX-License-Identifier: Apache-2.0
/**
 * Looks for jobs that give other results incrementally than plainly: jobs x inputs x edits x settings, each run both
 * ways in a process of its own, on real daemons. {@link io.shredder.it.exact.ExactRun} is the way in.
 */
@NullMarked
package io.shredder.it.exact;

import org.jspecify.annotations.NullMarked;
