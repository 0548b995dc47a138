// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.trust;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.snapshot.SnapshotName;
import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * All series of a client at an agent, those too of which it shows nothing though this site has seen them. Each is as
 * the key proves it, and compared with what this site has seen. Immutable.
 *
 * @param series that contradict nothing
 * @param alarms what the others contradict
 * @param damaged what is wrong with snapshots that the agent can't list
 */
public record CheckedListing(
        Map<SnapshotName, ProvedSeries> series, Map<SnapshotName, BrokenTrustException> alarms, List<String> damaged) {

    /** Keeps copies, in the same order. */
    public CheckedListing {
        series = Collections.unmodifiableMap(new LinkedHashMap<>(series));
        alarms = Collections.unmodifiableMap(new LinkedHashMap<>(alarms));
        damaged = List.copyOf(damaged);
    }

    /**
     * Asks an agent for everything.
     *
     * @throws BrokenTrustException if another repository is where this site has seen one
     */
    public static CheckedListing of(AgentClient agent, RepositoryKey key, KnownCommits known) throws IOException {
        known.checkRepository(agent);
        AgentSeries.Listing listing = AgentSeries.listAll(agent);
        Set<SnapshotName> names = new LinkedHashSet<>();
        listing.snapshots().stream().map(SnapshotInfo::name).forEach(names::add);
        names.addAll(known.series(agent, key.id()));
        Map<SnapshotName, ProvedSeries> series = new LinkedHashMap<>();
        Map<SnapshotName, BrokenTrustException> alarms = new LinkedHashMap<>();
        for (SnapshotName name : names) {
            try {
                // Listed anew: a backup may have come since, which this site knows of.
                series.put(name, new AgentSeries(agent, key, known, name).checked());
            } catch (BrokenTrustException e) {
                alarms.put(name, e);
            }
        }
        return new CheckedListing(series, alarms, listing.damaged());
    }

    /** All snapshots that the key does not prove, of series without an alarm. */
    public List<UnprovedSnapshot> unproved() {
        return series.values().stream().flatMap(one -> one.unproved().stream()).toList();
    }

    /** What is to be said once the rest is done: the first alarm, and of which other series there is one. */
    public Optional<BrokenTrustException> alarm() {
        if (alarms.size() <= 1) {
            return alarms.values().stream().findFirst();
        }
        List<SnapshotName> others = alarms.keySet().stream().skip(1).toList();
        BrokenTrustException first = alarms.values().iterator().next();
        return Optional.of(first.with("; the same is true of " + others.size() + " others: " + others));
    }

    /** What is to be said if the rest failed: an alarm comes before that. */
    public IOException orAlarm(IOException failure) {
        return alarm().<IOException>map(first -> first.with("; and the rest failed: " + failure.getMessage()))
                .orElse(failure);
    }
}
