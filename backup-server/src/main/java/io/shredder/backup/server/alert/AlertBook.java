// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.alert;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shredder.backup.schedule.StateBytes;
import io.shredder.backup.server.job.StoreRoom;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Clock;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What is wrong now. Each matter is told once when it begins and once when it ends, also over restarts: kept in {@code
 * alerts.json} of the state folder. Thread-safe.
 */
final class AlertBook {

    private static final Logger LOG = LoggerFactory.getLogger(AlertBook.class);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int VERSION = 1;

    private final Path file;
    private final Clock clock;
    private final Consumer<Alert> told;
    private final Map<String, Alert> raised = new TreeMap<>();
    private final Map<String, UsualChange> usual = new TreeMap<>();
    /** When images were last unlike before; "" stands for all of them, of which nothing is known before. */
    private final Map<String, Instant> unlike = new TreeMap<>();

    private RoomWatch room = new RoomWatch();
    private ClockWatch clocks = new ClockWatch();

    private AlertBook(Path file, Clock clock, Consumer<Alert> told) {
        this.file = file;
        this.clock = clock;
        this.told = told;
    }

    /** Reads what was wrong. A file that can't be read is begun anew: then what is still wrong is told again. */
    static AlertBook open(Path folder, Clock clock, Consumer<Alert> told) {
        AlertBook book = new AlertBook(folder.resolve("alerts.json"), clock, told);
        try {
            book.read();
        } catch (JacksonException | DateTimeException | IllegalArgumentException e) {
            LOG.warn("{} is damaged and begun anew: {}", book.file, e.getMessage());
            book.raised.clear();
            book.usual.clear();
            book.room = new RoomWatch();
            book.clocks = new ClockWatch();
            book.unlike.put("", clock.instant());
        } catch (IOException e) {
            LOG.warn("can't read {}: what is still wrong is told again: {}", book.file, e.getMessage());
            book.unlike.put("", clock.instant());
        }
        return book;
    }

    /**
     * What was wrong by the file of a state folder, for one who changes nothing.
     *
     * @throws IOException if it can't be read, naming it
     */
    static AlertBook look(Path folder, Clock clock) throws IOException {
        AlertBook book = new AlertBook(folder.resolve("alerts.json"), clock, unused -> {});
        try {
            book.read();
        } catch (JacksonException | DateTimeException | IllegalArgumentException e) {
            throw new IOException(book.file + " is damaged: the daemon begins it anew when it is started", e);
        }
        return book;
    }

    private void read() throws IOException {
        if (Files.exists(file)) {
            read(JSON.readTree(Files.readAllBytes(file)));
        }
    }

    private void read(JsonNode root) {
        if (root.path("version").asInt() != VERSION) {
            throw new IllegalArgumentException("it has no version " + VERSION);
        }
        for (JsonNode each : root.path("raised")) {
            AlertKind kind = Arrays.stream(AlertKind.values())
                    .filter(known -> known.word().equals(each.path("kind").asText()))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("an alert's kind is unknown"));
            Alert alert = new Alert(
                    kind,
                    each.path("subject").asText(),
                    each.path("what").asText(),
                    Instant.parse(each.path("since").asText()),
                    false);
            raised.put(key(kind, alert.subject()), alert);
        }
        for (Map.Entry<String, JsonNode> image : root.path("unlike").properties()) {
            unlike.put(image.getKey(), Instant.parse(image.getValue().asText()));
        }
        for (Map.Entry<String, JsonNode> image : root.path("usual").properties()) {
            List<Double> shares = new ArrayList<>();
            image.getValue().forEach(share -> shares.add(share.asDouble()));
            usual.put(image.getKey(), new UsualChange(shares));
        }
        room = RoomWatch.read(root.path("room"));
        clocks = ClockWatch.read(root.path("clock"));
    }

    private static String key(AlertKind kind, String subject) {
        return kind.word() + " " + subject;
    }

    /** Something is wrong; told if it was not before. */
    synchronized void raise(AlertKind kind, String subject, String what) {
        Alert alert = new Alert(kind, subject, what, clock.instant(), false);
        if (raised.putIfAbsent(key(kind, subject), alert) == null) {
            write();
            told.accept(alert);
        }
    }

    /** It is not wrong any more; told if it was. */
    synchronized void end(AlertKind kind, String subject) {
        Optional.ofNullable(raised.remove(key(kind, subject))).ifPresent(alert -> {
            write();
            told.accept(alert.ended());
        });
    }

    /** Whether a backup is unlike those of the image before; see {@link UsualChange}. */
    synchronized boolean isUnlikeBefore(String subject, long imageBytes, long newBytes, long storedBytes) {
        boolean isUnlike = usual.computeIfAbsent(subject, unused -> new UsualChange(List.of()))
                .isUnlike(imageBytes, newBytes, storedBytes);
        if (isUnlike) {
            unlike.put(subject, clock.instant());
        }
        write();
        return isUnlike;
    }

    /** What is wrong with the room that the agent's store has left; see {@link RoomWatch}. */
    synchronized Optional<String> roomSeen(StoreRoom left, Duration fullWithin) {
        Optional<String> wrong = room.seen(left, clock.instant(), fullWithin);
        write();
        return wrong;
    }

    /** What is wrong with this machine's clock; see {@link ClockWatch}. */
    synchronized Optional<String> clockSeen() {
        return clocks.look(clock.instant());
    }

    /** The same after both clocks were read at one time. */
    synchronized Optional<String> clocksSeen(Instant own, Instant agents) {
        clocks.compare(own, agents);
        Optional<String> wrong = clockSeen();
        write();
        return wrong;
    }

    /** Matters of what there is no more are forgotten, untold. */
    synchronized void forget(Predicate<String> goneSubject) {
        boolean changed = raised.values().removeIf(alert -> goneSubject.test(alert.subject()));
        changed |= unlike.keySet().removeIf(subject -> !subject.isEmpty() && goneSubject.test(subject));
        if (usual.keySet().removeIf(goneSubject) || changed) {
            write();
        }
    }

    /** What is wrong now. */
    synchronized List<Alert> raised() {
        return List.copyOf(raised.values());
    }

    /** When images were last unlike before. */
    synchronized Map<String, Instant> unlike() {
        return Map.copyOf(unlike);
    }

    private void write() {
        ObjectNode root = JSON.createObjectNode().put("version", VERSION);
        ArrayNode all = root.putArray("raised");
        raised.values().forEach(alert -> all.addObject()
                .put("kind", alert.kind().word())
                .put("subject", alert.subject())
                .put("what", alert.what())
                .put("since", alert.since().toString()));
        ObjectNode times = root.putObject("unlike");
        unlike.forEach((subject, time) -> times.put(subject, time.toString()));
        ObjectNode shares = root.putObject("usual");
        usual.forEach((subject, change) -> {
            ArrayNode nights = shares.putArray(subject);
            change.shares().forEach(nights::add);
        });
        room.write(root.putObject("room"));
        clocks.look(clock.instant());
        clocks.write(root.putObject("clock"));
        try {
            StateBytes.replace(file, JSON.writeValueAsBytes(root));
        } catch (IOException e) {
            LOG.warn("can't write {}: alerts may be told again after a restart: {}", file, e.toString());
        }
    }
}
