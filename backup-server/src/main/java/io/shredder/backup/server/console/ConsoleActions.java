// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.console;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shredder.backup.monitoring.PageRequest;
import io.shredder.backup.monitoring.PageServer.Answer;
import io.shredder.backup.schedule.JobControl;
import io.shredder.backup.server.config.ConsoleAction;
import io.shredder.backup.server.config.ConsoleConfig;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What a person with a right may have the daemon do: {@code POST /jobs/NAME/run}, {@code stop}, {@code pause} and
 * {@code resume}. Each is a forced line of the history, with the person's name, before it is done.
 */
final class ConsoleActions {

    private static final Logger LOG = LoggerFactory.getLogger(ConsoleActions.class);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern PATH = Pattern.compile("jobs/([^/]+)/([a-z]+)");
    private static final Map<String, ConsoleAction> ACTIONS = Map.of(
            "run", ConsoleAction.RUN,
            "stop", ConsoleAction.STOP,
            "pause", ConsoleAction.PAUSE,
            "resume", ConsoleAction.PAUSE);

    /** A pause that somebody forgets ends. */
    private static final Duration LONGEST_PAUSE = Duration.ofDays(30);

    private final Optional<ConsoleConfig.Access> access;
    private final ConsoleSources sources;

    ConsoleActions(ConsoleConfig config, ConsoleSources sources) {
        this.access = config.access();
        this.sources = sources;
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
        ConsoleAction action = parts.matches() ? ACTIONS.get(parts.group(2)) : null;
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
        return act(person.get(), parts.group(1), parts.group(2), body(request));
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

    private Answer act(String person, String job, String action, JsonNode body) throws IOException {
        boolean pauses = action.equals("pause");
        body.fieldNames().forEachRemaining(key -> {
            if (!pauses || !key.equals("hours")) {
                throw new IllegalArgumentException(
                        "'" + key + "' is not known: " + (pauses ? "give 'hours'" : "send {}"));
            }
        });
        Optional<Instant> until = pauses ? Optional.of(until(body)) : Optional.empty();
        if (isUnknown(job)) {
            return ConsoleSite.error(404, "there is no job '" + job + "'");
        }
        String what = action + until.map(time -> " until " + time).orElse("");
        sources.history().action(person, what, job);
        LOG.info("{} has the console {} job {}", person, what, job);
        JobControl jobs = sources.jobs();
        JobControl.Said said =
                switch (action) {
                    case "run" -> jobs.start(job);
                    case "stop" -> jobs.stop(job);
                    case "pause" -> jobs.pause(job, until.orElseThrow());
                    default -> jobs.resume(job);
                };
        return answer(said, job, action);
    }

    private boolean isUnknown(String job) {
        return sources.jobs().status().stream()
                .noneMatch(status -> status.name().equals(job));
    }

    private Instant until(JsonNode body) {
        JsonNode hours = body.path("hours");
        if (!hours.isIntegralNumber()
                || !hours.canConvertToInt()
                || hours.asInt() < 1
                || hours.asInt() > LONGEST_PAUSE.toHours()) {
            throw new IllegalArgumentException(
                    "'hours' is '" + hours.asText() + "': give a number from 1 to " + LONGEST_PAUSE.toHours());
        }
        return sources.now().plus(hours.asInt(), ChronoUnit.HOURS).truncatedTo(ChronoUnit.SECONDS);
    }

    private static Answer answer(JobControl.Said said, String job, String action) {
        return switch (said) {
            case DONE ->
                ConsoleSite.json(202, JSON.createObjectNode().put("job", job).put("action", action));
            case UNKNOWN -> ConsoleSite.error(404, "there is no job '" + job + "'");
            case RUNS -> ConsoleSite.error(409, "'" + job + "' runs already");
            case RESTS -> ConsoleSite.error(409, "'" + job + "' does not run");
            case ENDS -> ConsoleSite.error(503, "the daemon is about to end");
        };
    }

    /** For {@code /about}. */
    ObjectNode who(String person) {
        ObjectNode you = JSON.createObjectNode().put("name", person);
        of(person).stream().map(ConsoleAction::word).sorted().forEach(you.putArray("may")::add);
        return you;
    }
}
