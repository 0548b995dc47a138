// SPDX-License-Identifier: Apache-2.0
/**
 * Which InputFormats jobs can be reused with, and how their records are read from one chunk of a file (Incoop, section
 * 4.1). Begin with {@link io.shredder.incoop.format.ChunkFormat}, the interface that a jar can implement for an
 * InputFormat of its own.
 *
 * <p>What all of it holds to: the records of a file's chunks, read one chunk after the other, are those that the
 * InputFormat reads from the whole file as one split, in order. And a chunk's records follow from its bytes and those
 * of its file's header alone. What also depends on where a chunk lies, an offset for a key, notices being looked at
 * ({@link io.shredder.incoop.format.PositionWatch}).
 */
@NullMarked
package io.shredder.incoop.format;

import org.jspecify.annotations.NullMarked;
