// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.console;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shredder.backup.agent.session.SessionStatus;
import io.shredder.backup.console.Query;
import io.shredder.backup.console.Rows;
import java.util.Locale;

/** {@code /sessions}: which clients are connected, and what they do. */
final class SessionsApi {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int USUAL_ROWS = 100;

    private final AgentSources sources;

    SessionsApi(AgentSources sources) {
        this.sources = sources;
    }

    ObjectNode list(Query query) {
        return Rows.page("sessions", sources.sessions().get(), query, USUAL_ROWS, SessionsApi::row);
    }

    private static ObjectNode row(SessionStatus session) {
        ObjectNode row = JSON.createObjectNode()
                .put("client", session.client().value())
                .put("namespace", session.namespace().value())
                .put("from", session.from())
                .put("since", session.since().toString());
        session.task().ifPresent(task -> row.put("task", task.name().toLowerCase(Locale.ROOT)));
        session.series().ifPresent(series -> row.put("series", series.value()));
        session.lastRequest().ifPresent(time -> row.put("lastRequest", time.toString()));
        return row.put("requests", session.progress().requests())
                .put("receivedBytes", session.progress().receivedBytes())
                .put("answeredBytes", session.progress().answeredBytes());
    }
}
