// SPDX-License-Identifier: Apache-2.0
/**
 * Jobs on a real cluster, plainly and incrementally, each measured and compared: what the bench and the bars of Incoop
 * share.
 */
@NullMarked
package io.shredder.it.incoop;

import org.jspecify.annotations.NullMarked;
