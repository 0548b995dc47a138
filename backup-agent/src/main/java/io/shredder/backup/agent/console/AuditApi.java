// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.console;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shredder.backup.agent.audit.AuditLog;
import io.shredder.backup.console.Query;
import io.shredder.backup.console.Rows;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Locale;

/** {@code /audit}: the audit log, newest first. A page looks through a part of the file at most. */
final class AuditApi {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int USUAL_ROWS = 100;
    private static final int PART_BYTES = 1 << 20;

    /** What is longer is shown by its beginning. */
    private static final int LONGEST_LINE = 8 << 10;

    private static final int SHOWN_CHARACTERS = 500;

    private final AuditLog log;

    AuditApi(AuditLog log) {
        this.log = log;
    }

    ObjectNode list(Query query) throws IOException {
        String searched = query.searched();
        int limit = query.limit(USUAL_ROWS);
        long end = Math.min(log.end().offset(), query.number("cursor", 0, Long.MAX_VALUE, Long.MAX_VALUE));
        ByteBuffer part = log.tail(end, PART_BYTES);
        long partAt = end - part.limit();
        Rows rows = new Rows();
        int lineEnd = part.limit();
        while (lineEnd > 0 && rows.rows().size() < limit) {
            int lineAt = lineAt(part, lineEnd);
            if (lineAt == 0 && partAt > 0 && lineEnd < part.limit()) {
                break; // Its beginning is not in this part; it is the last of the next one.
            }
            byte[] line = new byte[lineEnd - lineAt];
            part.get(lineAt, line);
            String text = new String(line, StandardCharsets.UTF_8).strip();
            if (text.toLowerCase(Locale.ROOT).contains(searched) && !rows.add(row(partAt + lineAt, text))) {
                break;
            }
            lineEnd = lineAt;
        }
        ObjectNode page = JSON.createObjectNode();
        page.set("lines", rows.rows());
        if (partAt + lineEnd > 0) {
            page.put("next", String.valueOf(partAt + lineEnd));
        }
        return page;
    }

    /** Where the line begins that ends here, or the part. */
    private static int lineAt(ByteBuffer part, int end) {
        int at = end - 1;
        while (at > 0 && part.get(at - 1) != '\n') {
            at--;
        }
        return at;
    }

    /** What a crash left of a line, and what is too long, is shown as text. */
    private static ObjectNode row(long offset, String text) {
        ObjectNode row = JSON.createObjectNode().put("offset", offset);
        if (text.length() <= LONGEST_LINE) {
            try {
                JsonNode line = JSON.readTree(text);
                if (line instanceof ObjectNode fields && fields.has("time") && fields.has("event")) {
                    row.put("time", fields.path("time").asText())
                            .put("event", fields.path("event").asText());
                    row.set("details", fields.without(List.of("time", "event", "chain")));
                    return row;
                }
            } catch (JsonProcessingException e) {
                return row.put("text", text.substring(0, Math.min(text.length(), SHOWN_CHARACTERS)));
            }
        }
        return row.put("text", text.substring(0, Math.min(text.length(), SHOWN_CHARACTERS)));
    }
}
