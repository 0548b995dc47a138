// SPDX-License-Identifier: Apache-2.0
/** Kernels on a GPU, called from Java: what benches need that the product does not have. */
@NullMarked
package io.shredder.it.device;

import org.jspecify.annotations.NullMarked;
