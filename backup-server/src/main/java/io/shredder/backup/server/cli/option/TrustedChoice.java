// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli.option;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.server.snapshot.SnapshotChoice;
import io.shredder.backup.server.trust.AgentSeries;
import io.shredder.backup.server.trust.BrokenTrustException;
import io.shredder.backup.server.trust.KnownCommits;
import io.shredder.backup.server.trust.ProvedSeries;
import io.shredder.backup.server.trust.ProvedSnapshot;
import java.io.IOException;
import java.util.List;

/** Finds the snapshot that a command names among those that the key proves. */
public final class TrustedChoice {

    private final AgentClient agent;
    private final RepositoryKey key;
    private final KnownCommits known;

    /** Of one agent, by one key and what this site has seen of its series. One thread. */
    public TrustedChoice(AgentClient agent, RepositoryKey key, KnownCommits known) {
        this.agent = agent;
        this.key = key;
        this.known = known;
    }

    /**
     * The snapshot that is meant, proved; snapshots of other keys don't matter, newer ones are warned of.
     *
     * @throws BrokenTrustException if the agent shows less or other than was committed
     */
    public ProvedSnapshot find(SnapshotChoice choice) throws IOException {
        ProvedSeries series = new AgentSeries(agent, key, known, choice.name()).checked();
        ProvedSnapshot found = choice.among(series, agent, key.id());
        if (choice.id().isEmpty()) {
            Warnings.ofUnproved(
                    "passed over",
                    series.unproved().stream()
                            .filter(other -> other.info().id() > found.info().id())
                            .toList());
        }
        return found;
    }

    /** The latest snapshot of the series that has the tag; with an id, that one, which must have it. */
    public ProvedSnapshot find(SnapshotChoice choice, String tag) throws IOException {
        find(choice);
        List<ProvedSnapshot> series =
                new AgentSeries(agent, key, known, choice.name()).checked().proved();
        for (int i = series.size() - 1; i >= 0; i--) {
            ProvedSnapshot snapshot = series.get(i);
            boolean isMeant =
                    choice.id().isEmpty() || snapshot.info().id() == choice.id().getAsLong();
            if (isMeant && snapshot.summary().remarks().tags().contains(tag)) {
                return snapshot;
            }
        }
        throw new IOException("no snapshot " + choice + " has the tag '" + tag
                + "': see 'shredder-backup list --repository-key FILE'");
    }
}
