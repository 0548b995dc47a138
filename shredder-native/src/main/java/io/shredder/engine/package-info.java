// SPDX-License-Identifier: Apache-2.0
/**
 * The engine as Java sees it: streams of bytes in, chunks out, on the CPU or the GPU. Start at {@link Shredder}.
 *
 * <p>All work is done by {@code libshredder.so}, which comes in the jar with classifier {@code linux-x86_64}. What a
 * chunk is: {@code docs/formats/chunking.md}; every backend gives exactly the same chunks.
 */
@NullMarked
package io.shredder.engine;

import org.jspecify.annotations.NullMarked;
