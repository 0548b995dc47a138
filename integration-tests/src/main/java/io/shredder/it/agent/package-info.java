// SPDX-License-Identifier: Apache-2.0
/** An agent alone: what it gives many clients, what its index gives beside RocksDB, and a long line to it. */
@NullMarked
package io.shredder.it.agent;

import org.jspecify.annotations.NullMarked;
