// SPDX-License-Identifier: Apache-2.0
/**
 * A snapshot's bytes at any offset: pages of its list and chunks are fetched, opened and proved when somebody reads
 * them, by a connection that comes back, and kept for a while.
 */
@NullMarked
package io.shredder.backup.server.reader;

import org.jspecify.annotations.NullMarked;
