// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.care;

import com.google.common.collect.Lists;
import io.shredder.backup.client.AgentClient;
import io.shredder.backup.client.AgentException;
import io.shredder.backup.command.CommandErrors;
import io.shredder.backup.server.config.JobConfig;
import io.shredder.backup.server.config.SourceConfig;
import io.shredder.backup.server.job.CareOutcome;
import io.shredder.backup.server.retention.RetentionPolicy;
import io.shredder.backup.server.text.SnapshotText;
import io.shredder.backup.server.trust.ProvedSnapshot;
import io.shredder.backup.snapshot.PendingDeletion;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.wire.ErrorCode;
import io.shredder.backup.wire.WireFormat;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Deletes what no rule keeps of one image, unless something speaks against deleting anything of it: its last backup
 * failed or is overdue, it changed as never before, the agent's clock is ahead, or more snapshots came than should.
 */
final class PruneImage {

    /** By how much clocks may differ, and how long a backup may take before it is overdue. */
    private static final Duration PATIENCE = Duration.ofHours(1);

    private static final Duration DAY = Duration.ofDays(1);

    private final CareSite site;
    private final int mostNew;
    private final boolean dryRun;

    PruneImage(CareSite site, int mostNew, boolean dryRun) {
        this.site = site;
        this.mostNew = mostNew;
        this.dryRun = dryRun;
    }

    /** What came of one image. */
    private static final class Result {
        private final List<String> notes = new ArrayList<>();
        private final List<String> problems = new ArrayList<>();
        private Optional<String> error = Optional.empty();
        private int deleted;
        private int kept;
        private int waiting;
        private boolean held;

        CareOutcome outcome(String image) {
            return new CareOutcome(
                    CareOutcome.Kind.PRUNE,
                    Optional.of(image),
                    error,
                    problems,
                    notes,
                    Map.of(
                            "deleted.snapshots", (double) deleted,
                            "kept.snapshots", (double) kept,
                            "waiting.snapshots", (double) waiting,
                            "held", held ? 1.0 : 0.0));
        }
    }

    /**
     * One image.
     *
     * @param source the image, or the machine that it is a disk of
     * @param series proved, ascending, at least one
     */
    CareOutcome prune(AgentClient agent, JobConfig job, SourceConfig source, List<ProvedSnapshot> series) {
        String image = series.get(0).info().name().value();
        Result result = new Result();
        try {
            RetentionPolicy policy =
                    job.keep().orElseThrow(() -> new IOException("job " + job.name() + " does not say what to keep"));
            List<String> known = doubts(job, source, image);
            result.problems.addAll(objections(job, series));
            result.held = !known.isEmpty() || !result.problems.isEmpty();
            known.forEach(reason -> result.notes.add("nothing of it is deleted: " + reason));
            if (result.held) {
                result.kept = series.size();
            } else {
                delete(agent, decide(policy, series, result), result);
            }
        } catch (IOException e) {
            result.error = Optional.of(CommandErrors.describe(e));
        }
        return result.outcome(image);
    }

    private List<String> doubts(JobConfig job, SourceConfig source, String image) throws IOException {
        Set<String> all = new LinkedHashSet<>(site.doubts().of(job.name(), image));
        all.addAll(site.doubts().of(job.name(), source.name().value()));
        return List.copyOf(all);
    }

    /** What nobody has been told yet. */
    private List<String> objections(JobConfig job, List<ProvedSnapshot> series) {
        SnapshotInfo newest = series.get(series.size() - 1).info();
        Instant now = site.now();
        List<String> found = new ArrayList<>();
        job.times()
                .lastDue(now, PATIENCE)
                .filter(due -> newest.received().plus(PATIENCE).isBefore(due))
                .ifPresent(due -> found.add("nothing of it is deleted: its backup is overdue; one was due at " + due
                        + ", and the newest, " + SnapshotText.name(newest) + ", is of " + newest.received()));
        if (newest.received().isAfter(now.plus(PATIENCE))) {
            found.add("nothing of it is deleted: " + SnapshotText.name(newest) + " was received at " + newest.received()
                    + ", which is to come: set the clock of the agent's machine, or of this one");
        }
        Instant dayBefore = newest.received().minus(DAY);
        long recent = series.stream()
                .filter(snapshot -> snapshot.info().received().isAfter(dayBefore))
                .count();
        if (recent > mostNew) {
            found.add("nothing of it is deleted: " + recent + " snapshots came within a day, which may be an attack"
                    + " that pushes good ones out; if that is right, set max-new: " + recent);
        }
        return found;
    }

    /** Which go. Of an image whose newest snapshots lack bytes that could not be read, the newest whole one stays. */
    private static List<SnapshotInfo> decide(RetentionPolicy policy, List<ProvedSnapshot> series, Result result) {
        Optional<SnapshotInfo> whole = Lists.reverse(series).stream()
                .filter(snapshot -> snapshot.summary().remarks().skipped().isEmpty())
                .map(ProvedSnapshot::info)
                .findFirst();
        List<SnapshotInfo> going = new ArrayList<>();
        for (RetentionPolicy.Decision decision :
                policy.decide(series.stream().map(ProvedSnapshot::info).toList())) {
            boolean isNewestWhole = whole.filter(decision.snapshot()::equals).isPresent();
            if (decision.isKept() || isNewestWhole) {
                result.kept++;
                result.notes.add("keeps " + SnapshotText.name(decision.snapshot()) + " of "
                        + decision.snapshot().received() + ": "
                        + (decision.isKept() ? String.join(", ", decision.keptBy()) : "newest that is whole"));
            } else {
                going.add(decision.snapshot());
            }
        }
        return going;
    }

    private void delete(AgentClient agent, List<SnapshotInfo> going, Result result) throws IOException {
        List<String> keeps = List.copyOf(result.notes);
        result.notes.clear();
        for (List<SnapshotInfo> some : Lists.partition(going, WireFormat.MAX_SNAPSHOTS_PAGE)) {
            try {
                ask(agent, some, result);
            } catch (AgentException e) {
                if (e.code() != ErrorCode.NOT_PERMITTED) {
                    throw e;
                }
                oneByOne(agent, some, result);
            }
        }
        result.notes.addAll(keeps);
    }

    /** Some of them are younger than the agent lets anybody delete. */
    private void oneByOne(AgentClient agent, List<SnapshotInfo> some, Result result) throws IOException {
        for (SnapshotInfo snapshot : Lists.reverse(some)) {
            try {
                ask(agent, List.of(snapshot), result);
            } catch (AgentException e) {
                if (e.code() != ErrorCode.NOT_PERMITTED) {
                    throw e;
                }
                result.kept++;
                result.notes.add("keeps " + SnapshotText.name(snapshot) + ": the agent says that " + e.getMessage());
            }
        }
    }

    private void ask(AgentClient agent, List<SnapshotInfo> some, Result result) throws IOException {
        Optional<PendingDeletion> asked = dryRun
                ? Optional.empty()
                : agent.delete(some.stream().map(SnapshotInfo::id).toList());
        if (asked.isPresent()) {
            result.waiting += some.size();
            result.kept += some.size();
            result.notes.add("request " + asked.get().id() + " for " + some.size()
                    + " snapshots waits until " + asked.get().until() + " for another client to say"
                    + " 'shredder-backup confirm " + asked.get().id() + "'");
            return;
        }
        result.deleted += some.size();
        some.forEach(snapshot -> result.notes.add((dryRun ? "would delete " : "deleted ") + SnapshotText.name(snapshot)
                + " of " + snapshot.received() + ": no rule keeps it"));
    }
}
