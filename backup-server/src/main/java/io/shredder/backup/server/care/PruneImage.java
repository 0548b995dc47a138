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
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Deletes what no rule keeps of one image, unless something speaks against deleting anything of it. */
final class PruneImage {

    private static final String HELD = "nothing of it is deleted: ";

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
            PrunePlan plan = PrunePlan.of(site, job, source, series, mostNew);
            result.held = plan.isHeld();
            plan.objections().forEach(reason -> result.problems.add(HELD + reason));
            plan.doubts().forEach(reason -> result.notes.add(HELD + reason));
            if (result.held) {
                result.kept = series.size();
            } else {
                delete(agent, keep(plan, result), result);
            }
        } catch (IOException e) {
            result.error = Optional.of(CommandErrors.describe(e));
        } catch (RuntimeException | Error e) {
            return CareOutcome.died(CareOutcome.Kind.PRUNE, Optional.of(image), e);
        }
        return result.outcome(image);
    }

    /** Notes what stays; returns what goes. */
    private static List<SnapshotInfo> keep(PrunePlan plan, Result result) {
        List<SnapshotInfo> going = new ArrayList<>();
        for (RetentionPolicy.Decision decision : plan.decisions()) {
            if (decision.isKept()) {
                result.kept++;
                result.notes.add("keeps " + SnapshotText.name(decision.snapshot()) + " of "
                        + decision.snapshot().received() + ": " + String.join(", ", decision.keptBy()));
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
