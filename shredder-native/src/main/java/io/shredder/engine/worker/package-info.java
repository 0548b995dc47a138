// SPDX-License-Identifier: Apache-2.0
/** Lends this machine's devices to engines of other processes. */
@NullMarked
package io.shredder.engine.worker;

import org.jspecify.annotations.NullMarked;
