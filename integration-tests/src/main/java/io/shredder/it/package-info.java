// SPDX-License-Identifier: Apache-2.0
/** Everything that measures. {@link io.shredder.it.Measure} is the way in. */
@NullMarked
package io.shredder.it;

import org.jspecify.annotations.NullMarked;
