// SPDX-License-Identifier: Apache-2.0
/** The engine's erasure coder beside other people's: programs that take requests, and Hadoop's coder in Java. */
@NullMarked
package io.shredder.it.coding;

import org.jspecify.annotations.NullMarked;
