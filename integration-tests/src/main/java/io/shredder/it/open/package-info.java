// SPDX-License-Identifier: Apache-2.0
/** Backups that are opened where they lie: what other programs read of an export, how fast, and what may go wrong. */
@NullMarked
package io.shredder.it.open;

import org.jspecify.annotations.NullMarked;
