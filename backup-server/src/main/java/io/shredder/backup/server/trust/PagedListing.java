// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.trust;

import io.shredder.backup.client.AgentException;
import io.shredder.backup.server.text.FewLines;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.wire.Answer;
import io.shredder.backup.wire.ErrorCode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Reads page after page of what an agent lists. One that lists for ever, or again, is refused: memory is bounded. */
final class PagedListing {

    private static final int MAX_PAGES = 4096;

    /** Of snapshots as they are sent: some hundred thousand. */
    private static final long MAX_BYTES = 256L << 20;

    private final Source source;
    private final Optional<SnapshotName> series;

    /** Asks for the page behind an id. */
    interface Source {
        Answer.Snapshots after(long id) throws IOException;
    }

    /**
     * Asks nobody yet.
     *
     * @param series the only one that is asked for; empty for all
     */
    PagedListing(Source source, Optional<SnapshotName> series) {
        this.source = source;
        this.series = series;
    }

    /** All that come after an id. */
    AgentSeries.Listing after(long lastId) throws IOException {
        List<SnapshotInfo> snapshots = new ArrayList<>();
        FewLines damaged = new FewLines();
        long bytes = 0;
        long afterId = lastId;
        for (int pages = 1; ; pages++) {
            Answer.Snapshots page = source.after(afterId);
            for (SnapshotInfo snapshot : page.snapshots()) {
                check(snapshot, afterId, page.nextAfterId());
                bytes += snapshot.encodedBytes();
            }
            snapshots.addAll(page.snapshots());
            page.damaged().forEach(damaged::add);
            if (page.nextAfterId() == 0) {
                return new AgentSeries.Listing(snapshots, damaged.lines());
            } else if (page.nextAfterId() <= afterId) {
                throw refused("goes on after id " + page.nextAfterId() + " when it is asked for what is after id "
                        + afterId + ", which would have no end");
            } else if (pages == MAX_PAGES || bytes > MAX_BYTES) {
                throw refused("lists more than any client has: " + pages + " pages, " + snapshots.size()
                        + " snapshots in " + bytes + " bytes, and goes on");
            }
            afterId = page.nextAfterId();
        }
    }

    private void check(SnapshotInfo snapshot, long afterId, long nextAfterId) throws IOException {
        String name = snapshot.name() + "@" + snapshot.id();
        if (series.filter(snapshot.name()::equals).isEmpty() && series.isPresent()) {
            throw new BrokenTrustException("the agent lists " + name + " in the series '" + series.get() + "'");
        } else if (snapshot.id() <= afterId || (nextAfterId != 0 && snapshot.id() > nextAfterId)) {
            throw refused("lists " + name + " on the page after id " + afterId + " up to id " + nextAfterId
                    + ", where it does not belong");
        }
    }

    private static AgentException refused(String what) {
        return new AgentException(ErrorCode.PROTOCOL, "the agent " + what);
    }
}
