// SPDX-License-Identifier: Apache-2.0
/**
 * The headers of files whose records can't be read without them: what {@code docs/formats/manifest.md} calls {@code
 * sequencefile} and {@code avro}. Whoever cuts such a file and whoever reads its chunks parse the same header.
 */
@NullMarked
package io.shredder.chunk.header;

import org.jspecify.annotations.NullMarked;
