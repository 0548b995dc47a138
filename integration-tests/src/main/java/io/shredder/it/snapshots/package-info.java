// SPDX-License-Identifier: Apache-2.0
/** An agent with very many snapshots: how they come to be, and the programs that are measured on them. */
@NullMarked
package io.shredder.it.snapshots;

import org.jspecify.annotations.NullMarked;
