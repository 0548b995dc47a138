// SPDX-License-Identifier: Apache-2.0
/** How fast files get into HDFS on one machine: {@code -copyFromLocalGPU} beside {@code -copyFromLocal}. */
@NullMarked
package io.shredder.it.upload;

import org.jspecify.annotations.NullMarked;
