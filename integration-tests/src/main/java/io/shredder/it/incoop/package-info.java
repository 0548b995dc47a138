// SPDX-License-Identifier: Apache-2.0
/** Jobs on a real cluster, plain and incremental, measured and compared: what Incoop's bench and bars share. */
@NullMarked
package io.shredder.it.incoop;

import org.jspecify.annotations.NullMarked;
