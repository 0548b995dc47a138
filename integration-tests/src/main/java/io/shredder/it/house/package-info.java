// SPDX-License-Identifier: Apache-2.0
/** What can be counted of how the project is kept: the walks through its code, and what builds and tests took. */
@NullMarked
package io.shredder.it.house;

import org.jspecify.annotations.NullMarked;
