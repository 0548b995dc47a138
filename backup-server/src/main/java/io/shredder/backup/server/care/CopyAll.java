// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.care;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.server.config.CareConfig;
import io.shredder.backup.server.job.CareOutcome;
import io.shredder.backup.server.snapshot.SnapshotChoice;
import io.shredder.backup.server.transfer.CopySession;
import io.shredder.backup.server.trust.AgentSeries;
import io.shredder.backup.server.trust.ProvedListing;
import io.shredder.backup.server.trust.ProvedSeries;
import io.shredder.backup.server.trust.ProvedSnapshot;
import io.shredder.backup.server.trust.SnapshotCommit;
import io.shredder.backup.snapshot.SnapshotName;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** Copies all snapshots that the key proves and a second agent lacks, oldest first. */
final class CopyAll {

    private final CareSite site;
    private final CareConfig.Copy work;

    CopyAll(CareSite site, CareConfig.Copy work) {
        this.site = site;
        this.work = work;
    }

    CareOutcome run(AgentClient source) throws IOException {
        RepositoryKey key = site.key();
        try (AgentClient target = site.connect(work.to(), work.tls());
                CopySession session = new CopySession(source, target, key, site.cores())) {
            if (source.greeting().repository().equals(target.greeting().repository())) {
                throw new IOException("both agents serve the repository "
                        + source.greeting().repository() + ": name another one with 'to'");
            }
            SnapshotChoice.Listing listing = SnapshotChoice.listAll(source);
            ProvedListing listed = ProvedListing.of(listing.snapshots(), key, AgentSeries.home(source));
            int copied = 0;
            Map<SnapshotName, ProvedSeries> there = new HashMap<>(); // To prove a long series takes long.
            for (ProvedSnapshot snapshot : listed.proved()) {
                SnapshotName name = snapshot.info().name();
                AgentSeries series = site.series(target, key, name);
                ProvedSeries known = there.get(name);
                if (known == null) {
                    known = series.checked();
                    there.put(name, known);
                }
                if (known.proved().stream().noneMatch(snapshot::isSameAs)) {
                    copy(session, snapshot, series);
                    there.remove(name);
                    copied++;
                }
            }
            return new CareOutcome(
                    CareOutcome.Kind.COPY,
                    Optional.empty(),
                    Optional.empty(),
                    listing.damaged(),
                    Map.of(
                            "copied.snapshots", (double) copied,
                            "copied.bytes", (double) session.sentBytes()));
        }
    }

    private static void copy(CopySession session, ProvedSnapshot snapshot, AgentSeries target) throws IOException {
        ProvedSeries before = target.checked();
        session.copy(snapshot, new SnapshotCommit(target, before), before.last().map(ProvedSnapshot::info));
    }
}
