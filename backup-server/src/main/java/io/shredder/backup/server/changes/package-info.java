// SPDX-License-Identifier: Apache-2.0
/**
 * Which bytes of an image may have changed since its last snapshot, as somebody else says who kept track: a machine's
 * bitmaps, or a list of a storage system. {@link io.shredder.backup.server.changes.ChangeTracker} says it, and {@link
 * io.shredder.backup.server.changes.ChangeCheck} finds out when it isn't true.
 */
@NullMarked
package io.shredder.backup.server.changes;

import org.jspecify.annotations.NullMarked;
