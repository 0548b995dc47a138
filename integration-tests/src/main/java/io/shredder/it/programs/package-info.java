// SPDX-License-Identifier: Apache-2.0
/** The native build's measuring programs, and what they are asked for and print. */
@NullMarked
package io.shredder.it.programs;

import org.jspecify.annotations.NullMarked;
