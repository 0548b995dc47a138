// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.trust;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.wire.HostPort;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/**
 * Which repository this site has found at each agent's address; another one there has none of the site's snapshots, and
 * would pass for a new beginning.
 */
final class KnownAgents {

    private final Path folder;

    KnownAgents(Path folder) {
        this.folder = folder;
    }

    /** What contradicts what this site saw of the agent, if anything; nothing if it saw none, or without an address. */
    Optional<String> contradiction(AgentClient agent) throws IOException {
        UUID found = agent.greeting().repository();
        Optional<HostPort> address = agent.address();
        Optional<UUID> known = address.isEmpty() ? Optional.empty() : read(address.get());
        return known.filter(before -> !before.equals(found))
                .map(before -> "the agent at " + address.get() + " serves repository " + found
                        + ", where this site knows repository " + before
                        + ": a disk is not mounted there, or another agent or repository took its place");
    }

    private Optional<UUID> read(HostPort address) throws IOException {
        StateFile file = file(address);
        Optional<List<String>> words = file.read();
        try {
            return words.map(all -> UUID.fromString(all.get(0)));
        } catch (IllegalArgumentException e) {
            throw file.damaged(0, "it is not as this program writes it");
        }
    }

    /** Remembers an agent that was not known. */
    void keep(AgentClient agent) throws IOException {
        if (agent.address().isPresent() && read(agent.address().get()).isEmpty()) {
            file(agent.address().get()).write(words(agent), Optional::isEmpty);
        }
    }

    /** Takes what is at the agent's address for right from now on. */
    void accept(AgentClient agent) throws IOException {
        if (agent.address().isPresent()) {
            file(agent.address().get()).write(words(agent));
        }
    }

    private static List<String> words(AgentClient agent) {
        return List.of(agent.greeting().repository().toString());
    }

    private StateFile file(HostPort address) {
        return new StateFile(
                folder.resolve(address.toString().replace('/', '_') + ".agent"),
                "shredder-agent-1",
                1,
                "nobody knows which repository this site has seen there; look at it by 'shredder-backup list', then take it for right by"
                        + " 'shredder-backup accept'");
    }
}
