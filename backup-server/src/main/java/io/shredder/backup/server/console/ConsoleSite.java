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
import io.shredder.backup.server.config.ConsoleConfig;
import io.shredder.backup.server.config.JobConfig;
import io.shredder.backup.server.config.ServerConfig;
import io.shredder.release.Release;
import java.io.IOException;
import java.util.List;
import java.util.Optional;

/** START HERE for the console: which path has which answer or action. In the server's one thread. */
final class ConsoleSite extends ApiSite {

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final List<String> MODULES =
            List.of("console.js", "images.js", "image.js", "jobs.js", "care.js", "journals.js");

    private final ConsoleSources sources;
    private final ImagesApi images;
    private final JobsApi jobs;
    private final CareApi care;
    private final RunsApi runs;
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
        this.actions = new ConsoleActions(config, sources);
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
                    default -> Optional.empty();
                };
        if (found.isEmpty() && name.startsWith("boot/") && name.endsWith(".png")) {
            return care.picture(name.substring("boot/".length(), name.length() - ".png".length()));
        }
        return found.map(json -> json(200, json));
    }

    private ObjectNode about(Optional<String> person) {
        ServerConfig config = sources.config().get();
        ObjectNode about = JSON.createObjectNode()
                .put("program", Release.line("backup-server"))
                .put("site", sources.site())
                .put("started", sources.started().toString())
                .put("now", sources.clock().instant().toString())
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
}
