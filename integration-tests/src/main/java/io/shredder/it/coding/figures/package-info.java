// SPDX-License-Identifier: Apache-2.0
/** {@code ./run bench coding}: IStore's tables and figures about erasure coding, with today's coders. */
@NullMarked
package io.shredder.it.coding.figures;

import org.jspecify.annotations.NullMarked;
