// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.console;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shredder.backup.console.ApiSite;
import io.shredder.backup.console.Query;
import io.shredder.backup.console.StaticFiles;
import io.shredder.backup.console.Visitors;
import io.shredder.backup.monitoring.PageRequest;
import io.shredder.backup.monitoring.PageServer.Answer;
import io.shredder.release.Release;
import java.io.IOException;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** START HERE for the agent's console: which path has which answer. In the server's one thread. */
final class AgentSite extends ApiSite {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> MODULES =
            List.of("console.js", "clients.js", "client.js", "sessions.js", "store.js", "care.js", "audit.js");

    /** A certificate that ends sooner is to be replaced. */
    private static final int CERTIFICATE_DAYS = 30;

    private final AgentSources sources;
    private final ClientsApi clients;
    private final SessionsApi sessions;
    private final StoreApi store;
    private final AgentCareApi care;
    private final AuditApi audit;

    AgentSite(Visitors visitors, AgentSources sources, StoreCount count) {
        super(visitors, new StaticFiles(AgentSite.class, MODULES));
        this.sources = sources;
        this.clients = new ClientsApi(sources);
        this.sessions = new SessionsApi(sources);
        this.store = new StoreApi(sources, count);
        this.care = new AgentCareApi(sources);
        this.audit = new AuditApi(sources.repository().audit());
    }

    @Override
    protected Optional<Answer> api(String path, PageRequest request) throws IOException {
        Query query = new Query(request);
        String[] parts = path.split("/", -1);
        Optional<ObjectNode> found = Optional.empty();
        if (parts.length == 1) {
            found = switch (path) {
                case "about" -> Optional.of(about(person(request)));
                case "clients" -> Optional.of(clients.list(query));
                case "sessions" -> Optional.of(sessions.list(query));
                case "store" -> Optional.of(store.answer());
                case "care" -> Optional.of(care.list());
                case "audit" -> Optional.of(audit.list(query));
                default -> Optional.empty();
            };
        } else if (parts[0].equals("clients") && parts.length == 2) {
            found = clients.one(parts[1], query);
        } else if (parts[0].equals("clients") && parts.length == 3) {
            found = clients.series(parts[1], parts[2], query);
        }
        return found.map(json -> json(200, json));
    }

    private ObjectNode about(Optional<String> person) {
        ObjectNode about = JSON.createObjectNode()
                .put("program", Release.line("backup-agent"))
                .put("repository", sources.repository().id().toString())
                .put("started", sources.started().toString())
                .put("now", sources.clock().instant().toString())
                .put("certificateEnds", sources.certificateEnds().toString());
        clients.count(about);
        about.put("sessions", sources.sessions().get().size());
        List<String> wrong = new ArrayList<>(store.wrong());
        wrong.addAll(care.wrong());
        Instant soon = sources.clock().instant().plus(CERTIFICATE_DAYS, ChronoUnit.DAYS);
        if (sources.certificateEnds().isBefore(soon)) {
            wrong.add("the agent's certificate ends at " + sources.certificateEnds()
                    + ": make another by 'backup-agent certs'");
        }
        wrong.forEach(about.putArray("wrong")::add);
        person.ifPresent(name -> about.put("you", name));
        return about;
    }
}
