// SPDX-License-Identifier: Apache-2.0
/** {@code hadoop shredder scan} on a cluster whose daemons are processes. */
@NullMarked
package io.shredder.it.scan;

import org.jspecify.annotations.NullMarked;
