// SPDX-License-Identifier: Apache-2.0
/**
 * The engine's erasure coder beside other people's: programs that take requests, Hadoop's coder in Java, and HDFS on
 * real daemons with one coder and another.
 */
@NullMarked
package io.shredder.it.coding;

import org.jspecify.annotations.NullMarked;
