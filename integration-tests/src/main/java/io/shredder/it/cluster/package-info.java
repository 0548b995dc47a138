// SPDX-License-Identifier: Apache-2.0
/** A real Hadoop cluster on this machine's loopback: every daemon a process of its own, from the class path's jars. */
@NullMarked
package io.shredder.it.cluster;

import org.jspecify.annotations.NullMarked;
