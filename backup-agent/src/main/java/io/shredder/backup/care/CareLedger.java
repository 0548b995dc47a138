// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.care;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shredder.backup.schedule.StateBytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How far each verification in turn is, kept in {@code care.json} of the state folder. One that is lost costs no more
 * than to begin again. Thread-safe.
 */
public final class CareLedger {

    private static final Logger LOG = LoggerFactory.getLogger(CareLedger.class);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int VERSION = 1;

    private final Path file;
    private final Map<String, Turn> turns = new TreeMap<>();

    /**
     * How far one is.
     *
     * @param cursor where the agent goes on; 0 for the beginning
     * @param passBegan when the agent's first container was read last
     * @param lastRun when the run before ended
     * @param open what was found to be damaged and has not been seen sound since, by the cursor that shows it again
     */
    public record Turn(long cursor, Instant passBegan, Instant lastRun, Map<Long, List<String>> open) {

        /** Keeps a copy. */
        public Turn {
            open = Map.copyOf(open);
        }
    }

    private CareLedger(Path file) {
        this.file = file;
    }

    /** Reads it, or begins one; one that is damaged is begun anew. */
    public static CareLedger open(Path state) throws IOException {
        CareLedger ledger = new CareLedger(state.resolve("care.json"));
        if (Files.exists(ledger.file)) {
            try {
                ledger.read(JSON.readTree(Files.readAllBytes(ledger.file)));
            } catch (JsonProcessingException | DateTimeException | IllegalArgumentException e) {
                LOG.warn("{} is damaged, verification begins again: {}", ledger.file, e.getMessage());
                ledger.turns.clear();
            }
        }
        return ledger;
    }

    private void read(JsonNode root) {
        if (root.path("version").asInt() != VERSION) {
            throw new IllegalArgumentException("it has no version " + VERSION);
        }
        for (Map.Entry<String, JsonNode> entry : root.path("verify").properties()) {
            JsonNode turn = entry.getValue();
            long cursor = turn.path("cursor").asLong(-1);
            if (cursor < 0) {
                throw new IllegalArgumentException("the cursor of '" + entry.getKey() + "' is no number");
            }
            turns.put(
                    entry.getKey(),
                    new Turn(
                            cursor,
                            Instant.parse(turn.path("passBegan").asText()),
                            Instant.parse(turn.path("lastRun").asText()),
                            open(turn.path("open"))));
        }
    }

    private static Map<Long, List<String>> open(JsonNode node) {
        Map<Long, List<String>> open = new TreeMap<>();
        for (Map.Entry<String, JsonNode> entry : node.properties()) {
            List<String> lines = new ArrayList<>();
            entry.getValue().forEach(line -> lines.add(line.asText()));
            open.put(Long.parseLong(entry.getKey()), lines);
        }
        return open;
    }

    /** Empty before the first run. */
    public synchronized Optional<Turn> turn(String name) {
        return Optional.ofNullable(turns.get(name));
    }

    /** Remembers, durably. */
    public synchronized void set(String name, Turn turn) throws IOException {
        turns.put(name, turn);
        ObjectNode root = JSON.createObjectNode().put("version", VERSION);
        ObjectNode verify = root.putObject("verify");
        turns.forEach((each, at) -> {
            ObjectNode open = verify.putObject(each)
                    .put("cursor", at.cursor())
                    .put("passBegan", at.passBegan().toString())
                    .put("lastRun", at.lastRun().toString())
                    .putObject("open");
            at.open().forEach((cursor, lines) -> lines.forEach(open.withArray(String.valueOf(cursor))::add));
        });
        StateBytes.replace(file, JSON.writeValueAsBytes(root));
    }
}
