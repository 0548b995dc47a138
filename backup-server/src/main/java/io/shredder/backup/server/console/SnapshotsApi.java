// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.console;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shredder.backup.console.Query;
import io.shredder.backup.console.Rows;
import io.shredder.backup.monitoring.PageServer.Answer;
import io.shredder.backup.seal.Remarks;
import io.shredder.backup.server.care.PrunePlan;
import io.shredder.backup.server.recovery.SeriesView;
import io.shredder.backup.server.recovery.SeriesViews;
import io.shredder.backup.server.retention.RetentionPolicy.Decision;
import io.shredder.backup.server.trust.ProvedSnapshot;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.snapshot.SnapshotName;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * {@code /images/NAME/snapshots} and {@code /images/NAME/prune}: what the agent has of an image, and what would be
 * deleted of it. Until the agent has answered, 202 says when to ask again.
 */
final class SnapshotsApi {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int USUAL_ROWS = 100;

    /** Damage and alarms stand around the rows, which leave them so much less. */
    private static final int MOST_LINES = 10;

    private static final int MOST_LINE_LENGTH = 400;

    private final SeriesViews views;

    SnapshotsApi(SeriesViews views) {
        this.views = views;
    }

    /** Empty if there is nothing by that word. */
    Optional<Answer> answer(SnapshotName image, String word, Query query) {
        if (!word.equals("snapshots") && !word.equals("prune")) {
            return Optional.empty();
        }
        SeriesViews.Look look = views.look(image);
        if (look instanceof SeriesViews.Seen seen) {
            return Optional.of(
                    word.equals("prune")
                            ? ConsoleSite.json(200, prune(seen.view(), query))
                            : ConsoleSite.json(200, snapshots(seen.view(), query)));
        } else if (look instanceof SeriesViews.Failed failed) {
            return Optional.of(ConsoleSite.error(
                    502, "the agent does not say what it has of '" + image + "': " + failed.reason()));
        }
        return Optional.of(ConsoleSite.comingSoon(
                "the agent is being asked what it has of '" + image + "': ask again in a second"));
    }

    /** A snapshot, and why it is not proved, if it is not. */
    private record Listed(SnapshotInfo info, Optional<ProvedSnapshot> proved, String reason) {}

    private static ObjectNode snapshots(SeriesView view, Query query) {
        Stream<Listed> proved =
                view.series().proved().stream().map(snapshot -> new Listed(snapshot.info(), Optional.of(snapshot), ""));
        Stream<Listed> unproved = view.series().unproved().stream()
                .map(snapshot -> new Listed(snapshot.info(), Optional.empty(), snapshot.reason()));
        List<Listed> newestFirst = Stream.concat(proved, unproved)
                .sorted(Comparator.comparingLong((Listed each) -> each.info().id())
                        .reversed())
                .toList();
        ObjectNode page = Rows.page("snapshots", newestFirst, query, USUAL_ROWS, SnapshotsApi::row);
        page.put("asOf", view.asOf().toString());
        put(page.putArray("damaged"), view.damaged());
        put(page.putArray("alarms"), view.alarms());
        return page;
    }

    private static void put(ArrayNode lines, List<String> all) {
        all.stream()
                .limit(MOST_LINES)
                .map(line -> line.length() > MOST_LINE_LENGTH ? line.substring(0, MOST_LINE_LENGTH) : line)
                .forEach(lines::add);
    }

    private static ObjectNode base(SnapshotInfo info) {
        return JSON.createObjectNode()
                .put("id", info.id())
                .put("received", info.received().toString())
                .put("imageBytes", info.imageBytes());
    }

    private static ObjectNode row(Listed listed) {
        ObjectNode row = base(listed.info())
                .put("chunks", listed.info().chunkCount())
                .put("proved", listed.proved().isPresent());
        if (listed.proved().isEmpty()) {
            return row.put("reason", listed.reason());
        }
        Remarks remarks = listed.proved().get().summary().remarks();
        row.put("taken", listed.proved().get().summary().taken().toString());
        if (!remarks.tags().isEmpty()) {
            remarks.tags().forEach(row.putArray("tags")::add);
        }
        remarks.note().ifPresent(note -> row.put("note", note));
        if (!remarks.skipped().isEmpty()) {
            row.put("skippedBytes", remarks.skippedBytes());
        }
        remarks.change().ifPresent(change -> row.put("changed", change));
        return row;
    }

    private static ObjectNode prune(SeriesView view, Query query) {
        SeriesView.Pruning pruning = view.pruning();
        List<Decision> decisions = pruning.plan().map(PrunePlan::decisions).orElse(List.of());
        long going = decisions.stream().filter(each -> !each.isKept()).count();
        ObjectNode page = Rows.page("snapshots", decisions, query, USUAL_ROWS, SnapshotsApi::row)
                .put("asOf", view.asOf().toString())
                .put("kept", decisions.size() - going)
                .put("deleted", going)
                .put("apart", view.series().unproved().size());
        ArrayNode held = page.putArray("held");
        if (pruning.plan().isPresent()) {
            PrunePlan plan = pruning.plan().get();
            page.put("keep", plan.policy().toString());
            put(held, plan.doubts());
            put(held, plan.objections());
        } else {
            page.put("noRules", pruning.reason());
        }
        pruning.care().ifPresent(care -> page.put("care", care));
        return page;
    }

    private static ObjectNode row(Decision decision) {
        ObjectNode row = base(decision.snapshot());
        decision.keptBy().forEach(row.putArray("keptBy")::add);
        return row;
    }
}
