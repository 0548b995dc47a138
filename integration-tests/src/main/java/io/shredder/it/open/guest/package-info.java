// SPDX-License-Identifier: Apache-2.0
/** The way to the bars of files and of machines. */
@NullMarked
package io.shredder.it.open.guest;

import org.jspecify.annotations.NullMarked;
