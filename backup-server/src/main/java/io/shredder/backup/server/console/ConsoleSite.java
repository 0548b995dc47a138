// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.console;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shredder.backup.monitoring.PageRequest;
import io.shredder.backup.monitoring.PageServer;
import io.shredder.backup.monitoring.PageServer.Answer;
import io.shredder.backup.monitoring.PageServer.Body;
import io.shredder.backup.server.config.ConsoleAction;
import io.shredder.backup.server.config.ConsoleConfig;
import io.shredder.backup.server.config.JobConfig;
import io.shredder.backup.server.config.ServerConfig;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.release.Release;
import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** START HERE for the console: who is let in, which path has which answer or action. In the server's one thread. */
final class ConsoleSite implements PageServer.Site {

    static final String API = "/api/v1/";

    private static final Logger LOG = LoggerFactory.getLogger(ConsoleSite.class);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Map<String, String> HEADERS = Map.of(
            "content-security-policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self';"
                    + " base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
            "x-content-type-options",
            "nosniff",
            "referrer-policy",
            "no-referrer",
            "cross-origin-resource-policy",
            "same-origin",
            "cross-origin-opener-policy",
            "same-origin",
            "cache-control",
            "no-store");

    private final ConsoleSources sources;
    private final Visitors visitors;
    private final StaticFiles files = new StaticFiles();
    private final ImagesApi images;
    private final JobsApi jobs;
    private final CareApi care;
    private final RunsApi runs;
    private final SnapshotsApi snapshots;
    private final RecoveryApi recovery;
    private final ConsoleActions actions;

    ConsoleSite(ConsoleConfig config, ConsoleSources sources) {
        this.sources = sources;
        this.visitors = new Visitors(config);
        this.images = new ImagesApi(sources);
        this.jobs = new JobsApi(sources);
        this.care = new CareApi(sources);
        this.runs = new RunsApi(sources);
        this.snapshots = new SnapshotsApi(sources.recovery().views());
        this.recovery = new RecoveryApi(sources.recovery());
        this.actions = new ConsoleActions(config, sources, images::has);
    }

    @Override
    public Answer answer(PageRequest request) {
        Answer plain = visitors.refusal(request).orElseGet(() -> let(request));
        Map<String, String> headers = new HashMap<>(HEADERS);
        headers.putAll(plain.headers());
        return new Answer(plain.status(), plain.type(), plain.body(), headers);
    }

    @Override
    public boolean takesPost() {
        return true;
    }

    private Answer let(PageRequest request) {
        try {
            return request.method().equals("POST")
                    ? Visitors.forged(request).orElseGet(() -> api(request))
                    : files.at(request.path()).orElseGet(() -> api(request));
        } catch (IllegalArgumentException e) {
            return error(400, String.valueOf(e.getMessage()));
        }
    }

    private Answer api(PageRequest request) {
        if (!request.path().startsWith(API)) {
            return error(404, "nothing is here: begin at /, or at " + API + "openapi.json");
        }
        String path = request.path().substring(API.length());
        try {
            if (request.method().equals("POST")) {
                return actions.answer(path, visitors.person(request), request);
            }
            return api(path, request)
                    .orElseGet(() -> error(404, "there is no such thing: " + API + "openapi.json says what there is"));
        } catch (IOException e) {
            LOG.warn("the console can't use the daemon's state: {}", e.toString());
            return error(500, "the daemon can't read or write its state: see its log");
        }
    }

    private Optional<Answer> api(String path, PageRequest request) throws IOException {
        Query query = new Query(request);
        int slash = path.indexOf('/');
        String name = path.substring(slash + 1);
        int below = name.indexOf('/');
        if (path.startsWith("images/") && below > 0 && images.has(name.substring(0, below))) {
            return snapshots.answer(new SnapshotName(name.substring(0, below)), name.substring(below + 1), query);
        }
        if (path.startsWith("listings/")) {
            return Optional.of(recovery.listing(name, query, may(ConsoleAction.FILES, request)));
        }
        Optional<ObjectNode> found =
                switch (slash < 0 ? path : path.substring(0, slash + 1)) {
                    case "about" -> Optional.of(about(visitors.person(request)));
                    case "images" -> Optional.of(images.list(query));
                    case "images/" -> images.one(name, query);
                    case "jobs" -> Optional.of(jobs.list(query));
                    case "jobs/" -> jobs.one(name);
                    case "runs" -> Optional.of(runs.runs(query));
                    case "events" -> Optional.of(runs.events(query));
                    case "care" -> Optional.of(care.list(query));
                    case "restores" -> Optional.of(recovery.restores(query));
                    case "exports" -> Optional.of(recovery.exports(query, may(ConsoleAction.OPEN, request)));
                    default -> Optional.empty();
                };
        if (found.isEmpty() && name.startsWith("boot/") && name.endsWith(".png")) {
            return care.picture(name.substring("boot/".length(), name.length() - ".png".length()));
        }
        return found.map(json -> json(200, json));
    }

    private boolean may(ConsoleAction action, PageRequest request) {
        return visitors.person(request)
                .map(person -> actions.of(person).contains(action))
                .orElse(false);
    }

    private ObjectNode about(Optional<String> person) {
        ServerConfig config = sources.config();
        ObjectNode about = JSON.createObjectNode()
                .put("program", Release.line("backup-server"))
                .put("site", sources.site())
                .put("started", sources.started().toString())
                .put("now", sources.now().toString())
                .put("agent", config.agent().toString())
                .put(
                        "images",
                        config.jobs().stream()
                                .map(JobConfig::sources)
                                .mapToInt(List::size)
                                .sum())
                .put("jobs", config.jobs().size() + config.care().size())
                .put("wrongNow", sources.alerts().get().size());
        person.ifPresent(name -> about.set("you", actions.who(name)));
        ArrayNode damage = about.putArray("historyDamage");
        sources.history().damage().forEach(damage::add);
        return about;
    }

    static Answer json(int status, ObjectNode json) {
        return new Answer(status, "application/json", Body.of(json + "\n"), Map.of());
    }

    /** Something is being done for whoever asks, who is to ask again. */
    static Answer comingSoon(String text) {
        ObjectNode json = JSON.createObjectNode().put("asked", text);
        return new Answer(202, "application/json", Body.of(json + "\n"), Map.of("retry-after", "1"));
    }

    static Answer error(int status, String text) {
        return json(status, JSON.createObjectNode().put("error", text));
    }
}
