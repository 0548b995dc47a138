// SPDX-License-Identifier: Apache-2.0
/**
 * {@code ./run bench}: runs the native measuring programs, and other people's, and makes tables, plots and one JSON
 * file of what they say. Begin with {@link io.shredder.it.bench.EngineBench}.
 */
@NullMarked
package io.shredder.it.bench;

import org.jspecify.annotations.NullMarked;
