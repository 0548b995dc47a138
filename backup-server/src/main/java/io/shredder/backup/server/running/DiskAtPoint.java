// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.running;

import io.shredder.backup.server.changes.ChangeTracker;
import io.shredder.backup.server.source.NbdUri;

/**
 * A disk as it was at one moment, for as long as that is held.
 *
 * @param disk its name in the machine
 * @param uri where it can be read
 * @param tracker says what has changed
 */
record DiskAtPoint(String disk, NbdUri uri, ChangeTracker tracker) {}
