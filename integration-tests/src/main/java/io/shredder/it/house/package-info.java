// SPDX-License-Identifier: Apache-2.0
/** What can be counted of how the project is kept: its packages, and the walks through its code. */
@NullMarked
package io.shredder.it.house;

import org.jspecify.annotations.NullMarked;
