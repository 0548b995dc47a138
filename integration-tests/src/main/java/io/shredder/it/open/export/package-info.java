// SPDX-License-Identifier: Apache-2.0
/** Programs that give out images by NBD, and those that use them. */
@NullMarked
package io.shredder.it.open.export;

import org.jspecify.annotations.NullMarked;
