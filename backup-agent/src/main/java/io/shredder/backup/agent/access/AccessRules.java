// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.access;

import io.shredder.backup.snapshot.SnapshotName;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/**
 * Who may do what.
 *
 * @param named clients by the CN of their certificates
 * @param others what every other client may do, in a namespace of its own name; empty if no other is let in
 * @param confirmed namespaces of which deletions wait until another client confirms them, and for how long; whoever
 *     asks for them
 */
public record AccessRules(
        Map<SnapshotName, ClientAccess> named, Optional<Grant> others, Map<SnapshotName, Duration> confirmed) {

    /**
     * What is granted, whoever it is granted to.
     *
     * @param rights at least one
     * @param maxImageBytes see {@link ClientAccess}
     * @param minAge see {@link ClientAccess}
     */
    public record Grant(Set<Right> rights, OptionalLong maxImageBytes, Duration minAge) {

        /** Gives it to a client. */
        ClientAccess to(SnapshotName client, SnapshotName namespace) {
            return new ClientAccess(client, namespace, rights, maxImageBytes, minAge);
        }
    }

    /** Without a file: every client may append and restore in its own namespace, and nobody may delete. */
    public static final AccessRules APPEND_AND_RESTORE = new AccessRules(
            Map.of(),
            Optional.of(new Grant(EnumSet.of(Right.APPEND, Right.RESTORE), OptionalLong.empty(), Duration.ZERO)),
            Map.of());

    /** Copies the maps. */
    public AccessRules {
        named = Map.copyOf(named);
        confirmed = Map.copyOf(confirmed);
    }

    /** Whether this client may hold a keeper. */
    public boolean mayKeep(SnapshotName client) {
        return has(client, Right.KEEP);
    }

    /** Whether this client may use a worker. */
    public boolean mayBorrow(SnapshotName client) {
        return has(client, Right.BORROW);
    }

    private boolean has(SnapshotName client, Right right) {
        ClientAccess own = named.get(client);
        return own != null && own.rights().contains(right);
    }

    /** What this client may do at an agent; empty if it is not let in. */
    public Optional<ClientAccess> of(SnapshotName client) {
        ClientAccess own = named.get(client);
        Optional<ClientAccess> access = own != null ? Optional.of(own) : others.map(grant -> grant.to(client, client));
        return access.filter(found -> found.rights().stream().noneMatch(Right::standsAlone))
                .map(found -> found.confirmedWithin(Optional.ofNullable(confirmed.get(found.namespace()))));
    }
}
