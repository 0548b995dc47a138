// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.history;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shredder.backup.server.job.CareOutcome;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;

/** What came of care, as the journal has it. */
final class CareEntry {

    private static final int MOST_LINES = 20;

    private CareEntry() {}

    static void write(CareOutcome outcome, ObjectNode line) {
        line.put("kind", outcome.kind().name().toLowerCase(Locale.ROOT)).put("ok", outcome.succeeded());
        outcome.image().ifPresent(image -> line.put("image", image));
        outcome.error().ifPresent(error -> line.put("error", JournalLine.shortened(error)));
        putLines(line, "problems", outcome.problems());
        if (!outcome.notes().isEmpty()) {
            putLines(line, "notes", outcome.notes());
        }
        ObjectNode figures = line.putObject("figures");
        new TreeMap<>(outcome.figures()).forEach(figures::put);
    }

    private static void putLines(ObjectNode line, String key, List<String> lines) {
        ArrayNode array = line.putArray(key);
        lines.stream().limit(MOST_LINES).map(JournalLine::shortened).forEach(array::add);
    }
}
