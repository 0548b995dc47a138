// SPDX-License-Identifier: Apache-2.0
/** Measures what a store in an object store promises: {@link io.shredder.it.store.StoreBars}. */
@NullMarked
package io.shredder.it.store;

import org.jspecify.annotations.NullMarked;
