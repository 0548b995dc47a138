// SPDX-License-Identifier: Apache-2.0
/**
 * What a chunk is. {@link io.shredder.chunk.ReferenceChunker} cuts a stream, slowly and readably, exactly
 * as {@code docs/formats/chunking.md} says; every fast backend must give the same chunks.
 * {@link io.shredder.chunk.ChunkingParams} are the parameters, {@link io.shredder.chunk.Manifest} the ordered chunks of
 * a file.
 *
 * <p>JDK only: modules that never touch native code build on this one.
 */
@NullMarked
package io.shredder.chunk;

import org.jspecify.annotations.NullMarked;
