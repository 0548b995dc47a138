// SPDX-License-Identifier: Apache-2.0
/** What the product promises, measured: one line a bar, with the figure, what is needed, and whether it holds. */
@NullMarked
package io.shredder.it.bars;

import org.jspecify.annotations.NullMarked;
