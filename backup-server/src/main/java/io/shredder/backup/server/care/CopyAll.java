// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.care;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.command.CommandErrors;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.server.config.CareConfig;
import io.shredder.backup.server.job.CareOutcome;
import io.shredder.backup.server.transfer.CopyPlan;
import io.shredder.backup.server.transfer.CopySession;
import io.shredder.backup.server.trust.AgentSeries;
import io.shredder.backup.server.trust.CheckedListing;
import io.shredder.backup.server.trust.ProvedSeries;
import io.shredder.backup.server.trust.ProvedSnapshot;
import io.shredder.backup.server.trust.SnapshotCommit;
import io.shredder.backup.snapshot.SnapshotName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Copies all snapshots that the key proves and that are newer than what a second agent has, oldest first. An image of
 * which the agent shows less than it had, or other, is left alone.
 */
final class CopyAll {

    private final CareSite site;
    private final CareConfig.Copy work;

    CopyAll(CareSite site, CareConfig.Copy work) {
        this.site = site;
        this.work = work;
    }

    CareOutcome run(AgentClient source) throws IOException {
        RepositoryKey key = site.key();
        CheckedListing listed = CheckedListing.of(source, key, site.known());
        try (AgentClient target = site.connect(work.to(), work.tls());
                CopySession session = new CopySession(source, target, key, site.cores())) {
            if (source.greeting().repository().equals(target.greeting().repository())) {
                throw new IOException("both agents serve the repository "
                        + source.greeting().repository() + ": name another one with 'to'");
            }
            return copy(listed, session, target, key);
        } catch (IOException e) {
            throw listed.orAlarm(e);
        }
    }

    private CareOutcome copy(CheckedListing listed, CopySession session, AgentClient target, RepositoryKey key)
            throws IOException {
        List<ProvedSnapshot> going = new ArrayList<>();
        int older = 0;
        for (Map.Entry<SnapshotName, ProvedSeries> series : listed.series().entrySet()) {
            if (!series.getValue().proved().isEmpty()) {
                ProvedSeries there = site.series(target, key, series.getKey()).checked();
                CopyPlan plan = CopyPlan.of(series.getValue().proved(), there, false);
                going.addAll(plan.copied());
                older += plan.older().size();
            }
        }
        going.sort(Comparator.comparingLong(snapshot -> snapshot.info().id()));
        int copied = 0;
        for (ProvedSnapshot snapshot : going) {
            copied += copy(
                    session, snapshot, site.series(target, key, snapshot.info().name()));
        }
        return new CareOutcome(
                CareOutcome.Kind.COPY,
                Optional.empty(),
                listed.alarm().map(CommandErrors::describe),
                listed.alarm().isPresent(),
                listed.damaged(),
                notes(older),
                Map.of(
                        "copied.snapshots", (double) copied,
                        "copied.bytes", (double) session.sentBytes()));
    }

    private static List<String> notes(int older) {
        return older == 0
                ? List.of()
                : List.of(older + " snapshots were taken before the newest of their series that is there, and are not"
                        + " copied; 'shredder-backup copy --older' would");
    }

    /** Returns how many are copied: none if it came there meanwhile. */
    private static int copy(CopySession session, ProvedSnapshot snapshot, AgentSeries target) throws IOException {
        ProvedSeries before = target.checked();
        if (before.proved().stream().anyMatch(snapshot::isSameAs)) {
            return 0;
        }
        session.copy(snapshot, new SnapshotCommit(target, before), before.last().map(ProvedSnapshot::info));
        return 1;
    }
}
