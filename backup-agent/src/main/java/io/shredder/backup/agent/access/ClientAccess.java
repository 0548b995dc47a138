// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.access;

import io.shredder.backup.snapshot.SnapshotName;
import java.time.Duration;
import java.util.Optional;
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
 * @param confirmWithin in what time another client must confirm a deletion of the namespace's snapshots; empty if none
 *     need do so
 */
public record ClientAccess(
        SnapshotName client,
        SnapshotName namespace,
        Set<Right> rights,
        OptionalLong maxImageBytes,
        Duration minAge,
        Optional<Duration> confirmWithin) {

    /** Copies the set. */
    public ClientAccess {
        rights = Set.copyOf(rights);
    }

    /** Of a namespace whose deletions nobody need confirm. */
    public ClientAccess(
            SnapshotName client,
            SnapshotName namespace,
            Set<Right> rights,
            OptionalLong maxImageBytes,
            Duration minAge) {
        this(client, namespace, rights, maxImageBytes, minAge, Optional.empty());
    }

    /** The same where deletions wait for another client. */
    ClientAccess confirmedWithin(Optional<Duration> time) {
        return new ClientAccess(client, namespace, rights, maxImageBytes, minAge, time);
    }
}
