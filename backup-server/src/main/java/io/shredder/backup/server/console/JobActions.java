// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.console;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shredder.backup.monitoring.PageServer.Answer;
import io.shredder.backup.schedule.JobControl;
import io.shredder.backup.server.history.PersonAction;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import java.util.Set;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code POST /jobs/NAME/run}, {@code stop}, {@code pause} and {@code resume}, of a person who may. */
final class JobActions {

    private static final Logger LOG = LoggerFactory.getLogger(JobActions.class);
    private static final ObjectMapper JSON = new ObjectMapper();

    /** A pause that somebody forgets ends. */
    private static final Duration LONGEST_PAUSE = Duration.ofDays(30);

    private final ConsoleSources sources;

    JobActions(ConsoleSources sources) {
        this.sources = sources;
    }

    Answer act(String person, String job, String action, JsonNode body) throws IOException {
        boolean pauses = action.equals("pause");
        ConsoleActions.checkKeys(body, pauses ? Set.of("hours") : Set.of());
        Optional<Instant> until = pauses ? Optional.of(until(body)) : Optional.empty();
        if (isUnknown(job)) {
            return ConsoleSite.error(404, "there is no job '" + job + "'");
        }
        String what = action + until.map(time -> " until " + time).orElse("");
        sources.history().action(PersonAction.ofJob(person, what, job));
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
}
