// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.console;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shredder.backup.monitoring.PageServer.Answer;
import io.shredder.backup.server.history.PersonAction;
import io.shredder.backup.server.recovery.RestoreOrder;
import io.shredder.backup.server.recovery.RestoreStatus;
import io.shredder.backup.server.recovery.Restores;
import io.shredder.backup.snapshot.SnapshotName;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** {@code POST /images/NAME/restore} and {@code /restores/NUMBER/stop}, of a person who may. */
final class RecoveryActions {

    private static final Logger LOG = LoggerFactory.getLogger(RecoveryActions.class);
    private static final ObjectMapper JSON = new ObjectMapper();

    private final ConsoleSources sources;
    private final Predicate<String> images;

    RecoveryActions(ConsoleSources sources, Predicate<String> images) {
        this.sources = sources;
        this.images = images;
    }

    Answer act(String person, String things, String name, JsonNode body) throws IOException {
        return things.equals("images") ? restore(person, name, body) : stop(person, name, body);
    }

    private Answer restore(String person, String image, JsonNode body) throws IOException {
        ConsoleActions.checkKeys(body, Set.of("snapshot", "to"));
        if (!images.test(image)) {
            return ConsoleSite.error(404, "there is no image '" + image + "'");
        }
        RestoreOrder order = new RestoreOrder(
                person,
                new SnapshotName(image),
                snapshot(body),
                body.path("to").isTextual() ? body.path("to").asText() : "");
        Restores restores = sources.recovery().restores();
        Optional<String> refused = restores.refusal(order);
        if (refused.isPresent()) {
            return ConsoleSite.error(409, refused.get());
        }
        note(PersonAction.ofImage(person, "restore " + order.snapshot() + " to " + order.to(), image));
        return ConsoleSite.json(202, JSON.createObjectNode().put("restore", restores.start(order)));
    }

    private static long snapshot(JsonNode body) {
        JsonNode id = body.path("snapshot");
        if (!id.isIntegralNumber() || !id.canConvertToLong() || id.asLong() < 1) {
            throw new IllegalArgumentException("'snapshot' is '" + id.asText() + "': give the number of one, as"
                    + " /images/NAME/snapshots has it");
        }
        return id.asLong();
    }

    private Answer stop(String person, String number, JsonNode body) throws IOException {
        ConsoleActions.checkKeys(body, Set.of());
        Restores restores = sources.recovery().restores();
        Optional<RestoreStatus> status =
                number.matches("[0-9]{1,18}") ? restores.status(Long.parseLong(number)) : Optional.empty();
        if (status.isEmpty()) {
            return ConsoleSite.error(404, "there is no restore '" + number + "'");
        } else if (status.get().state() != RestoreStatus.State.RUNNING) {
            return ConsoleSite.error(409, "restore " + number + " has ended");
        }
        RestoreOrder order = status.get().order();
        note(PersonAction.ofImage(
                person,
                "stop the restore of " + order.snapshot() + " to " + order.to(),
                order.image().value()));
        return restores.stop(Long.parseLong(number))
                ? ConsoleSite.json(202, JSON.createObjectNode().put("restore", Long.parseLong(number)))
                : ConsoleSite.error(409, "restore " + number + " has ended");
    }

    private void note(PersonAction action) throws IOException {
        sources.history().action(action);
        LOG.info("{} has the console {}, image {}", action.person(), action.action(), action.subject());
    }
}
