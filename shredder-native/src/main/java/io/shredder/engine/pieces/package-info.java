// SPDX-License-Identifier: Apache-2.0
/**
 * A file as pieces of which any few give it back: {@code shredder code} and {@code shredder decode}. Start at
 * {@link FileCoder}. The pieces' bytes: {@code docs/formats/coded-file.md}.
 */
@NullMarked
package io.shredder.engine.pieces;

import org.jspecify.annotations.NullMarked;
