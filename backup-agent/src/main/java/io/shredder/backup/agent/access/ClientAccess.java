// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.access;

import io.shredder.backup.protocol.SnapshotName;
import java.time.Duration;
import java.util.OptionalLong;
import java.util.Set;

/**
 * What one client may do.
 *
 * @param client the CN of its certificate
 * @param namespace whose snapshots it sees; several clients may share one
 * @param rights never empty for a client that is let in
 * @param maxImageBytes how long all images of the namespace's snapshots may be together, if that is limited
 * @param minAge younger snapshots can't be deleted, whatever the rights, by the agent's clock
 */
public record ClientAccess(
        SnapshotName client, SnapshotName namespace, Set<Right> rights, OptionalLong maxImageBytes, Duration minAge) {

    /** Copies the set. */
    public ClientAccess {
        rights = Set.copyOf(rights);
    }
}
