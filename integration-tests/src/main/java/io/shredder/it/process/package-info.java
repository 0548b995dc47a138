// SPDX-License-Identifier: Apache-2.0
/** Programs started as processes of their own, none of which outlives the one that started it. */
@NullMarked
package io.shredder.it.process;

import org.jspecify.annotations.NullMarked;
