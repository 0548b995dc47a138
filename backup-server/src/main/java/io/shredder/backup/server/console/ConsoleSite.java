// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.console;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shredder.backup.console.ApiSite;
import io.shredder.backup.console.Query;
import io.shredder.backup.console.StaticFiles;
import io.shredder.backup.console.Visitors;
import io.shredder.backup.monitoring.PageRequest;
import io.shredder.backup.monitoring.PageServer.Answer;
import io.shredder.backup.monitoring.PageServer.Body;
import io.shredder.backup.server.config.ConsoleAction;
import io.shredder.backup.server.config.ConsoleConfig;
import io.shredder.backup.server.config.JobConfig;
import io.shredder.backup.server.config.ServerConfig;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.release.Release;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** START HERE for the console: which path has which answer or action. In the server's one thread. */
final class ConsoleSite extends ApiSite {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> MODULES = List.of(
            "console.js",
            "images.js",
            "image.js",
            "snapshots.js",
            "actions.js",
            "recovery.js",
            "listing.js",
            "jobs.js",
            "care.js",
            "journals.js");

    private final ConsoleSources sources;
    private final ImagesApi images;
    private final JobsApi jobs;
    private final CareApi care;
    private final RunsApi runs;
    private final SnapshotsApi snapshots;
    private final RecoveryApi recovery;
    private final ConsoleActions actions;

    ConsoleSite(ConsoleConfig config, ConsoleSources sources) {
        super(
                new Visitors(config.access()
                        .map(access -> new Visitors.People(access.people(), "console.people", revoked -> false))),
                new StaticFiles(ConsoleSite.class, MODULES));
        this.sources = sources;
        this.images = new ImagesApi(sources);
        this.jobs = new JobsApi(sources);
        this.care = new CareApi(sources);
        this.runs = new RunsApi(sources);
        this.snapshots = new SnapshotsApi(sources.recovery().views());
        this.recovery = new RecoveryApi(sources.recovery());
        this.actions = new ConsoleActions(config, sources, images::has);
    }

    @Override
    public boolean takesPost() {
        return true;
    }

    @Override
    protected Optional<Answer> api(String path, PageRequest request) throws IOException {
        if (request.method().equals("POST")) {
            return Optional.of(actions.answer(path, person(request), request));
        }
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
                    case "about" -> Optional.of(about(person(request)));
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
        return person(request)
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

    /** Something is being done for whoever asks, who is to ask again. */
    static Answer comingSoon(String text) {
        ObjectNode json = JSON.createObjectNode().put("asked", text);
        return new Answer(202, "application/json", Body.of(json + "\n"), Map.of("retry-after", "1"));
    }
}
