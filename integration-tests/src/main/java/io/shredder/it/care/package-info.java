// SPDX-License-Identifier: Apache-2.0
/** Measures how the daemon is looked at and looks after itself: {@link io.shredder.it.care.CareBars}. */
@NullMarked
package io.shredder.it.care;

import org.jspecify.annotations.NullMarked;
