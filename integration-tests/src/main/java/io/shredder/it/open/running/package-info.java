// SPDX-License-Identifier: Apache-2.0
/** Backups of machines that run: what they read, how long they take, what a guest feels of it, and what is in them. */
@NullMarked
package io.shredder.it.open.running;

import org.jspecify.annotations.NullMarked;
