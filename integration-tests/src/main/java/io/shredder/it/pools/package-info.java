// SPDX-License-Identifier: Apache-2.0
/** Pools of many devices and many nodes: the papers' figures by simulation, with the engine's own policies. */
@NullMarked
package io.shredder.it.pools;

import org.jspecify.annotations.NullMarked;
