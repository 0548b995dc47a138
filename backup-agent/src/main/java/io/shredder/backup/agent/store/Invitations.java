// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.store;

import io.shredder.backup.agent.collect.LiveRoots;
import io.shredder.backup.snapshot.SnapshotName;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;

/** The open snapshots that other connections of the same client may bring chunks of. Thread-safe. */
public final class Invitations {

    private final Map<UUID, Open> open = new ConcurrentHashMap<>();

    private record Open(SnapshotName client, LiveRoots roots) {}

    /** By what others may join; nobody can guess it. */
    public UUID invite(SnapshotName client, LiveRoots roots) {
        UUID invitation = UUID.randomUUID();
        open.put(invitation, new Open(client, roots));
        return invitation;
    }

    /**
     * What keeps the chunks of the snapshot that this client was invited to; empty if it was not, or that has ended.
     */
    public Optional<LiveRoots> join(SnapshotName client, UUID invitation) {
        return Optional.ofNullable(open.get(invitation))
                .filter(known -> known.client().equals(client))
                .map(Open::roots);
    }

    /** Nobody may join any more. */
    public void withdraw(UUID invitation) {
        open.remove(invitation);
    }
}
