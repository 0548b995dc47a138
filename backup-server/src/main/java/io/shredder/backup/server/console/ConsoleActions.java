// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.console;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shredder.backup.monitoring.PageRequest;
import io.shredder.backup.monitoring.PageServer.Answer;
import io.shredder.backup.server.config.ConsoleAction;
import io.shredder.backup.server.config.ConsoleConfig;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a person with a right may have the daemon do, by a POST to {@code THINGS/NAME/VERB}. Each is a forced line of
 * the history, with the person's name, before it is done.
 */
final class ConsoleActions {

    private static final Logger LOG = LoggerFactory.getLogger(ConsoleActions.class);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern PATH = Pattern.compile("([a-z]+)/([^/]+)/([a-z]+)");
    private static final Map<String, ConsoleAction> ACTIONS = Map.of(
            "jobs run", ConsoleAction.RUN,
            "jobs stop", ConsoleAction.STOP,
            "jobs pause", ConsoleAction.PAUSE,
            "jobs resume", ConsoleAction.PAUSE,
            "images restore", ConsoleAction.RESTORE,
            "restores stop", ConsoleAction.RESTORE,
            "images open", ConsoleAction.OPEN,
            "exports close", ConsoleAction.OPEN,
            "images files", ConsoleAction.FILES);

    private final Optional<ConsoleConfig.Access> access;
    private final JobActions jobs;
    private final RecoveryActions recovery;

    /** @param images whether there is one of a name */
    ConsoleActions(ConsoleConfig config, ConsoleSources sources, Predicate<String> images) {
        this.access = config.access();
        this.jobs = new JobActions(sources);
        this.recovery = new RecoveryActions(sources, images);
    }

    /** What a person may do. */
    Set<ConsoleAction> of(String person) {
        return access.map(granted -> granted.actions().getOrDefault(person, Set.of()))
                .orElse(Set.of());
    }

    /**
     * Does it, or says why not.
     *
     * @param path below the API's
     * @param person who asks, by a certificate
     * @param request that no other site's page has caused
     */
    Answer answer(String path, Optional<String> person, PageRequest request) throws IOException {
        Matcher parts = PATH.matcher(path);
        ConsoleAction action = parts.matches() ? ACTIONS.get(parts.group(1) + " " + parts.group(3)) : null;
        if (action == null) {
            return ConsoleSite.error(404, "nothing can be done there: openapi.json says what can");
        } else if (person.isEmpty()) {
            return ConsoleSite.error(
                    403,
                    "this console only looks, since it does not know who asks: give it 'certificate', 'key', 'authority',"
                            + " 'people' and 'actions' in the configuration");
        } else if (!of(person.get()).contains(action)) {
            LOG.warn("the console refuses {} to {}", person.get(), action.word());
            return ConsoleSite.error(
                    403, "'" + person.get() + "' may not " + action.word() + ": see 'console.actions' of this daemon");
        }
        JsonNode body = body(request);
        return parts.group(1).equals("jobs")
                ? jobs.act(person.get(), parts.group(2), parts.group(3), body)
                : recovery.act(person.get(), action, parts.group(1), parts.group(2), body);
    }

    private static JsonNode body(PageRequest request) {
        if (!request.headers().getOrDefault("content-type", "").startsWith("application/json")) {
            throw new IllegalArgumentException("the body is not of the type application/json");
        }
        try {
            JsonNode body = JSON.readTree(request.body());
            if (body == null || !body.isObject()) {
                throw new IllegalArgumentException("the body is no JSON object: send {} at least");
            }
            return body;
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("the body is no JSON object: send {} at least", e);
        }
    }

    /** Refuses a body that has other keys than these. */
    static void checkKeys(JsonNode body, Set<String> known) {
        body.fieldNames().forEachRemaining(key -> {
            if (!known.contains(key)) {
                throw new IllegalArgumentException("'" + key + "' is not known: "
                        + (known.isEmpty() ? "send {}" : "give '" + String.join("', '", new TreeSet<>(known)) + "'"));
            }
        });
    }

    /** For {@code /about}. */
    ObjectNode who(String person) {
        ObjectNode you = JSON.createObjectNode().put("name", person);
        of(person).stream().map(ConsoleAction::word).sorted().forEach(you.putArray("may")::add);
        return you;
    }
}
