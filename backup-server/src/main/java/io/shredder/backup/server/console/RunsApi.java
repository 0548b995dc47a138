// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.console;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shredder.backup.console.Query;
import io.shredder.backup.console.Rows;
import io.shredder.backup.server.alert.Alert;
import io.shredder.backup.server.history.DaemonHistory;
import io.shredder.backup.server.history.JournalLine;
import java.io.IOException;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;

/** {@code /runs} and {@code /events}: the journals, newest first. */
final class RunsApi {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int USUAL_ROWS = 50;
    private static final Set<String> BAD_RESULTS = Set.of("failed", "missed", "interrupted");

    private final ConsoleSources sources;

    RunsApi(ConsoleSources sources) {
        this.sources = sources;
    }

    ObjectNode runs(Query query) throws IOException {
        Optional<String> image = query.name("image");
        Optional<String> job = query.name("job");
        boolean onlyBad = query.word("result", List.of("any", "failed")).equals("failed");
        DaemonHistory history = sources.history();
        return page(
                "runs",
                history.runs(
                        before(query),
                        query.limit(USUAL_ROWS),
                        line -> has(line, "image", image) && has(line, "job", job) && (!onlyBad || isBad(line))),
                Rows.MOST_BYTES);
    }

    private static boolean has(ObjectNode line, String key, Optional<String> wanted) {
        return wanted.isEmpty() || line.path(key).asText().equals(wanted.get());
    }

    private static boolean isBad(ObjectNode line) {
        return line.has("ok")
                ? !line.path("ok").asBoolean()
                : BAD_RESULTS.contains(line.path("result").asText());
    }

    ObjectNode events(Query query) throws IOException {
        ObjectNode page = page(
                "events", sources.history().alerts(before(query), query.limit(USUAL_ROWS)), Rows.MOST_BYTES * 2 / 3);
        Rows now = new Rows(Rows.MOST_BYTES / 3);
        List<Alert> raised = sources.alerts().get();
        raised.stream()
                .map(alert -> JSON.createObjectNode()
                        .put("kind", alert.kind().word())
                        .put("subject", alert.subject())
                        .put("since", alert.since().toString())
                        .put("text", alert.line()))
                .limit(USUAL_ROWS)
                .forEach(now::add);
        page.put("wrongNow", raised.size());
        page.set("wrong", now.rows());
        return page;
    }

    private static long before(Query query) {
        return query.number("cursor", 0, Long.MAX_VALUE, Long.MAX_VALUE);
    }

    private static ObjectNode page(String key, DaemonHistory.Lines lines, int mostBytes) {
        Rows rows = new Rows(mostBytes);
        OptionalLong next = lines.before();
        for (JournalLine line : lines.lines()) {
            ObjectNode row = JSON.createObjectNode().put("number", line.number());
            row.setAll(line.body());
            if (!rows.add(row)) {
                next = OptionalLong.of(
                        rows.rows().get(rows.rows().size() - 1).path("number").asLong());
                break;
            }
        }
        ObjectNode page = JSON.createObjectNode();
        page.set(key, rows.rows());
        next.ifPresent(before -> page.put("next", String.valueOf(before)));
        return page;
    }
}
