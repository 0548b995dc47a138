// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.transfer;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.client.Answers;
import io.shredder.backup.server.snapshot.SnapshotList;
import io.shredder.backup.server.text.SnapshotText;
import io.shredder.backup.server.trust.AgentSeries;
import io.shredder.backup.snapshot.ListPage;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** An agent that may have a page of a shared list, in any snapshot of the series that it has. One thread. */
final class PageSource {

    private static final Logger LOG = LoggerFactory.getLogger(PageSource.class);

    private final AgentClient agent;
    private final Map<SnapshotName, Map<Fingerprint, Place>> places = new HashMap<>();

    /** Where a page is. */
    private record Place(SnapshotList list, int number) {}

    PageSource(AgentClient agent) {
        this.agent = agent;
    }

    /** The page with this digest, proved by it. */
    Optional<ListPage> find(SnapshotName series, Fingerprint digest) throws IOException {
        Map<Fingerprint, Place> known = places.get(series);
        if (known == null) {
            known = listed(series);
            places.put(series, known);
        }
        Place place = known.get(digest);
        return place == null
                ? Optional.empty()
                : Optional.of(Answers.await(place.list().page(place.number())));
    }

    private Map<Fingerprint, Place> listed(SnapshotName series) throws IOException {
        Map<Fingerprint, Place> pages = new HashMap<>();
        for (SnapshotInfo snapshot : AgentSeries.listAll(agent).snapshots()) {
            if (snapshot.name().equals(series) && snapshot.seal().isShared()) {
                addTo(pages, snapshot);
            }
        }
        return pages;
    }

    private void addTo(Map<Fingerprint, Place> pages, SnapshotInfo snapshot) {
        try {
            SnapshotList list = SnapshotList.of(agent, snapshot);
            List<Fingerprint> digests = list.digests();
            for (int number = 0; number < digests.size(); number++) {
                pages.putIfAbsent(digests.get(number), new Place(list, number));
            }
        } catch (IOException e) {
            LOG.info("no page is taken from the second agent's {}: {}", SnapshotText.name(snapshot), e.getMessage());
        }
    }
}
