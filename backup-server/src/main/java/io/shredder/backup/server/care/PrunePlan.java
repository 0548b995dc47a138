// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.care;

import com.google.common.collect.Lists;
import io.shredder.backup.server.config.JobConfig;
import io.shredder.backup.server.config.SourceConfig;
import io.shredder.backup.server.retention.ReceivedAhead;
import io.shredder.backup.server.retention.RetentionPolicy;
import io.shredder.backup.server.retention.RetentionPolicy.Decision;
import io.shredder.backup.server.text.SnapshotText;
import io.shredder.backup.server.trust.ProvedSnapshot;
import io.shredder.backup.snapshot.SnapshotInfo;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What the rules of an image's job have deleted of its series and what they keep, and what speaks against deleting
 * anything of it now: its last backup failed or is overdue, it changed as never before, the agent's clock is ahead, or
 * more snapshots came than should.
 *
 * @param policy the rules
 * @param decisions about each snapshot, newest first
 * @param doubts that people have been told of already
 * @param objections that nobody has been told of yet
 */
public record PrunePlan(
        RetentionPolicy policy, List<Decision> decisions, List<String> doubts, List<String> objections) {

    /** How long a backup may take before it is overdue. */
    private static final Duration PATIENCE = Duration.ofHours(1);

    private static final Duration DAY = Duration.ofDays(1);

    /** Keeps copies. */
    public PrunePlan {
        decisions = List.copyOf(decisions);
        doubts = List.copyOf(doubts);
        objections = List.copyOf(objections);
    }

    /**
     * Decides; nothing is asked of an agent.
     *
     * @param source the image, or the machine that it is a disk of
     * @param series proved, ascending, at least one
     * @param mostNew more snapshots within a day may be an attack
     * @throws IOException if the job says nothing of what to keep, or what speaks against it can't be known
     */
    public static PrunePlan of(
            CareSite site, JobConfig job, SourceConfig source, List<ProvedSnapshot> series, int mostNew)
            throws IOException {
        RetentionPolicy policy =
                job.keep().orElseThrow(() -> new IOException("job " + job.name() + " does not say what to keep"));
        String image = series.get(0).info().name().value();
        Set<String> doubts = new LinkedHashSet<>(site.doubts().of(job.name(), image));
        doubts.addAll(site.doubts().of(job.name(), source.name().value()));
        return new PrunePlan(
                policy, decide(policy, series), List.copyOf(doubts), objections(site.now(), job, series, mostNew));
    }

    /** Whether nothing of the image is to be deleted for now. */
    public boolean isHeld() {
        return !doubts.isEmpty() || !objections.isEmpty();
    }

    private static List<String> objections(Instant now, JobConfig job, List<ProvedSnapshot> series, int mostNew) {
        SnapshotInfo newest = series.get(series.size() - 1).info();
        List<String> found = new ArrayList<>();
        job.times()
                .lastDue(now, PATIENCE)
                .filter(due -> newest.received().plus(PATIENCE).isBefore(due))
                .ifPresent(due -> found.add("its backup is overdue; one was due at " + due + ", and the newest, "
                        + SnapshotText.name(newest) + ", is of " + newest.received()));
        ReceivedAhead.objection(newest, SnapshotText.name(newest), now).ifPresent(found::add);
        Instant dayBefore = newest.received().minus(DAY);
        long recent = series.stream()
                .filter(snapshot -> snapshot.info().received().isAfter(dayBefore))
                .count();
        if (recent > mostNew) {
            found.add(recent + " snapshots came within a day, which may be an attack"
                    + " that pushes good ones out; if that is right, set max-new: " + recent);
        }
        return found;
    }

    /** Of an image whose newest snapshots lack bytes that could not be read, the newest whole one stays. */
    private static List<Decision> decide(RetentionPolicy policy, List<ProvedSnapshot> series) {
        Optional<SnapshotInfo> whole = Lists.reverse(series).stream()
                .filter(snapshot -> snapshot.summary().remarks().skipped().isEmpty())
                .map(ProvedSnapshot::info)
                .findFirst();
        return policy.decide(series.stream().map(ProvedSnapshot::info).toList()).stream()
                .map(decision -> !decision.isKept()
                                && whole.filter(decision.snapshot()::equals).isPresent()
                        ? new Decision(decision.snapshot(), List.of("newest that is whole"))
                        : decision)
                .toList();
    }
}
