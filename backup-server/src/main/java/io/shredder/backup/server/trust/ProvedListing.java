// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.trust;

import com.google.common.collect.Multimaps;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.snapshot.SnapshotInfo;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.UUID;

/**
 * The snapshots of all series of a client as the repository key proves them. Immutable.
 *
 * @param proved in the order of ids
 * @param unproved those that this key does not prove
 */
public record ProvedListing(List<ProvedSnapshot> proved, List<UnprovedSnapshot> unproved) {

    /** Sorts what an agent lists. */
    public static ProvedListing of(List<SnapshotInfo> listed, RepositoryKey key, UUID home) {
        List<ProvedSnapshot> proved = new ArrayList<>();
        List<UnprovedSnapshot> unproved = new ArrayList<>();
        for (List<SnapshotInfo> series :
                Multimaps.asMap(Multimaps.index(listed, SnapshotInfo::name)).values()) {
            ProvedSeries sorted = ProvedSeries.of(series, key, home);
            proved.addAll(sorted.proved());
            unproved.addAll(sorted.unproved());
        }
        proved.sort(Comparator.comparingLong(snapshot -> snapshot.info().id()));
        return new ProvedListing(List.copyOf(proved), List.copyOf(unproved));
    }
}
