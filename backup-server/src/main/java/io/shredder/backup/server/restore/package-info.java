// SPDX-License-Identifier: Apache-2.0
/** The way back: lists are read, chunks fetched, opened and proved, and bytes written where they belong. */
@NullMarked
package io.shredder.backup.server.restore;

import org.jspecify.annotations.NullMarked;
