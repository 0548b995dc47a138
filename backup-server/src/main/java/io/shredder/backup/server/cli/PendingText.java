// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.client.AgentException;
import io.shredder.backup.server.text.SnapshotText;
import io.shredder.backup.snapshot.PendingDeletion;
import io.shredder.backup.wire.ErrorCode;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** How deletions look that wait for a second client, and how they are found. */
final class PendingText {

    /** Of a command whose deletion waits. */
    static final int EXIT_CODE = 4;

    private PendingText() {}

    /** All that wait in this client's namespace, in the order of their ids. */
    static List<PendingDeletion> listAll(AgentClient client) throws IOException {
        List<PendingDeletion> all = new ArrayList<>();
        for (var next = client.pending(0);
                next.isPresent();
                next = client.pending(next.get().id())) {
            all.add(next.get());
        }
        return all;
    }

    /** The one with this id. */
    static PendingDeletion find(AgentClient client, long id) throws IOException {
        return client.pending(id - 1)
                .filter(found -> found.id() == id)
                .orElseThrow(() -> new AgentException(
                        ErrorCode.NOT_FOUND,
                        "no request " + id + " waits: it was confirmed or withdrawn, or has lapsed; see"
                                + " 'shredder-backup pending'"));
    }

    /** What a request is about, a line, and a line for each snapshot. */
    static String lines(PendingDeletion deletion) {
        StringBuilder lines = new StringBuilder("request " + deletion.id() + "  by " + deletion.client() + ", asked "
                + deletion.asked() + ", waits until " + deletion.until() + ": delete "
                + deletion.snapshots().size() + " snapshots");
        for (PendingDeletion.Going going : deletion.snapshots()) {
            lines.append(String.format(
                    Locale.ROOT,
                    "%n  %6d  %-24s  %s  %12s",
                    going.id(),
                    going.name(),
                    going.received(),
                    SnapshotText.size(going.imageBytes())));
        }
        return lines.toString();
    }

    /** For {@code --json}. */
    static Map<String, Object> json(PendingDeletion deletion) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("request", deletion.id());
        json.put("client", deletion.client().value());
        json.put("asked", deletion.asked().toString());
        json.put("until", deletion.until().toString());
        json.put(
                "snapshots",
                deletion.snapshots().stream().map(PendingText::json).toList());
        return json;
    }

    private static Map<String, Object> json(PendingDeletion.Going going) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("id", going.id());
        json.put("name", going.name().value());
        json.put("received", going.received().toString());
        json.put("imageBytes", going.imageBytes());
        json.put("contentDigest", going.contentDigest().toString());
        return json;
    }
}
