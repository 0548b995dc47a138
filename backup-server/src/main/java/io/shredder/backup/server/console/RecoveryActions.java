// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.console;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shredder.backup.monitoring.PageServer.Answer;
import io.shredder.backup.server.config.ConsoleAction;
import io.shredder.backup.server.history.PersonAction;
import io.shredder.backup.server.recovery.ExportOrder;
import io.shredder.backup.server.recovery.ExportStatus;
import io.shredder.backup.server.recovery.Exports;
import io.shredder.backup.server.recovery.ListingOrder;
import io.shredder.backup.server.recovery.Listings;
import io.shredder.backup.server.recovery.RestoreOrder;
import io.shredder.backup.server.recovery.RestoreStatus;
import io.shredder.backup.server.recovery.Restores;
import io.shredder.backup.snapshot.SnapshotName;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code POST /images/NAME/restore}, {@code open} and {@code files}, {@code /restores/NUMBER/stop} and {@code
 * /exports/NUMBER/close}, of a person who may.
 */
final class RecoveryActions {

    private static final Logger LOG = LoggerFactory.getLogger(RecoveryActions.class);
    private static final ObjectMapper JSON = new ObjectMapper();

    /** What a body may have beside the snapshot. */
    private static final Map<ConsoleAction, String> KEYS =
            Map.of(ConsoleAction.RESTORE, "to", ConsoleAction.OPEN, "hours", ConsoleAction.FILES, "path");

    private final ConsoleSources sources;
    private final Predicate<String> images;

    RecoveryActions(ConsoleSources sources, Predicate<String> images) {
        this.sources = sources;
        this.images = images;
    }

    /** @param things of which {@code name} is one: images, or what people have asked for */
    Answer act(String person, ConsoleAction action, String things, String name, JsonNode body) throws IOException {
        if (things.equals("images")) {
            ConsoleActions.checkKeys(body, Set.of("snapshot", KEYS.getOrDefault(action, "")));
            if (!images.test(name)) {
                return ConsoleSite.error(404, "there is no image '" + name + "'");
            }
            return begin(person, action, new SnapshotName(name), body);
        }
        ConsoleActions.checkKeys(body, Set.of());
        long number = name.matches("[0-9]{1,18}") ? Long.parseLong(name) : 0;
        return action == ConsoleAction.OPEN ? close(person, number) : stop(person, number);
    }

    private Answer begin(String person, ConsoleAction action, SnapshotName image, JsonNode body) throws IOException {
        return switch (action) {
            case OPEN -> open(person, image, body);
            case FILES -> list(person, image, body);
            default -> restore(person, image, body);
        };
    }

    private Answer list(String person, SnapshotName image, JsonNode body) throws IOException {
        JsonNode path = body.path("path");
        if (!path.isMissingNode() && !path.isTextual()) {
            throw new IllegalArgumentException("'path' is '" + path + "': give one such as /etc, or none");
        }
        ListingOrder order = new ListingOrder(
                person, image, snapshot(body), path.isTextual() ? Optional.of(path.asText()) : Optional.empty());
        Listings listings = sources.recovery().listings();
        Optional<String> refused = listings.refusal();
        if (refused.isPresent()) {
            return ConsoleSite.error(409, refused.get());
        }
        note(
                person,
                "list files of " + order.snapshot()
                        + order.path().map(text -> ": " + text).orElse(""),
                image);
        return asked("listing", listings.start(order));
    }

    private Answer restore(String person, SnapshotName image, JsonNode body) throws IOException {
        String to = body.path("to").isTextual() ? body.path("to").asText() : "";
        RestoreOrder order = new RestoreOrder(person, image, snapshot(body), to);
        Restores restores = sources.recovery().restores();
        Optional<String> refused = restores.refusal(order);
        if (refused.isPresent()) {
            return ConsoleSite.error(409, refused.get());
        }
        note(person, "restore " + order.snapshot() + " to " + to, image);
        return asked("restore", restores.start(order));
    }

    private Answer open(String person, SnapshotName image, JsonNode body) throws IOException {
        JsonNode hours = body.path("hours");
        if (!hours.isIntegralNumber() || !hours.canConvertToInt()) {
            throw new IllegalArgumentException("'hours' is '" + hours.asText() + "': give a number from 1 to 24");
        }
        ExportOrder order = new ExportOrder(person, image, snapshot(body), hours.asInt());
        Exports exports = sources.recovery().exports();
        Optional<String> refused = exports.refusal();
        if (refused.isPresent()) {
            return ConsoleSite.error(409, refused.get());
        }
        note(person, "open " + order.snapshot() + " for " + order.hours() + " h", image);
        return asked("export", exports.open(order));
    }

    private static Answer asked(String kind, long number) {
        return ConsoleSite.json(202, JSON.createObjectNode().put(kind, number));
    }

    private static long snapshot(JsonNode body) {
        JsonNode id = body.path("snapshot");
        if (!id.isIntegralNumber() || !id.canConvertToLong() || id.asLong() < 1) {
            throw new IllegalArgumentException("'snapshot' is '" + id.asText() + "': give the number of one, as"
                    + " /images/NAME/snapshots has it");
        }
        return id.asLong();
    }

    private Answer stop(String person, long number) throws IOException {
        Restores restores = sources.recovery().restores();
        Optional<RestoreStatus> status = restores.status(number);
        if (status.isEmpty()) {
            return ConsoleSite.error(404, "there is no such restore: /restores has their numbers");
        } else if (status.get().state() != RestoreStatus.State.RUNNING) {
            return ConsoleSite.error(409, "restore " + number + " has ended");
        }
        RestoreOrder order = status.get().order();
        note(person, "stop the restore of " + order.snapshot() + " to " + order.to(), order.image());
        return restores.stop(number)
                ? asked("restore", number)
                : ConsoleSite.error(409, "restore " + number + " has ended");
    }

    private Answer close(String person, long number) throws IOException {
        Exports exports = sources.recovery().exports();
        Optional<ExportStatus> status = exports.status(number);
        if (status.isEmpty()) {
            return ConsoleSite.error(404, "there is no such export: /exports has their numbers");
        } else if (status.get().reason().isPresent()) {
            return ConsoleSite.error(409, "export " + number + " is closed");
        }
        ExportOrder order = status.get().order();
        note(person, "close the export of " + order.snapshot(), order.image());
        return exports.close(number, person)
                ? asked("export", number)
                : ConsoleSite.error(409, "export " + number + " is closed");
    }

    private void note(String person, String what, SnapshotName image) throws IOException {
        sources.history().action(PersonAction.ofImage(person, what, image.value()));
        LOG.info("{} has the console {}, image {}", person, what, image);
    }
}
