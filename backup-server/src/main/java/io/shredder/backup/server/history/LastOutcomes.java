// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.history;

import com.fasterxml.jackson.core.JacksonException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shredder.backup.schedule.StateBytes;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last line of the journal of runs of each job, each care and each image of one, by which a restart knows how they
 * stand without reading years. Kept in {@code last.json}. Guarded by its {@link DaemonHistory}.
 */
final class LastOutcomes {

    private static final Logger LOG = LoggerFactory.getLogger(LastOutcomes.class);
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final int VERSION = 1;

    private final Path file;
    private final Map<String, ObjectNode> last = new TreeMap<>();

    private LastOutcomes(Path file) {
        this.file = file;
    }

    /** Reads them. A file that is damaged is begun anew: what is in the newest part of the journal comes back. */
    static LastOutcomes open(Path folder) throws IOException {
        LastOutcomes outcomes = new LastOutcomes(folder.resolve("last.json"));
        if (Files.exists(outcomes.file)) {
            try {
                JsonNode root = JSON.readTree(Files.readAllBytes(outcomes.file));
                if (root.path("version").asInt() != VERSION) {
                    throw new IllegalArgumentException("it has no version " + VERSION);
                }
                root.path("last").properties().forEach(entry -> {
                    if (entry.getValue() instanceof ObjectNode line) {
                        outcomes.last.put(entry.getKey(), line);
                    }
                });
            } catch (JacksonException | IllegalArgumentException e) {
                LOG.warn("{} is damaged and begun anew: {}", outcomes.file, e.getMessage());
                outcomes.last.clear();
            }
        }
        return outcomes;
    }

    Optional<ObjectNode> of(String key) {
        return Optional.ofNullable(last.get(key)).map(ObjectNode::deepCopy);
    }

    /** Takes a line, if it is newer than what is there; not durable before {@link #write}. */
    boolean note(String key, JournalLine line) {
        ObjectNode known = last.get(key);
        if (known != null && known.path("number").asLong() >= line.number()) {
            return false;
        }
        last.put(key, line.body().deepCopy().put("number", line.number()));
        return true;
    }

    void write() throws IOException {
        ObjectNode root = JSON.createObjectNode().put("version", VERSION);
        ObjectNode all = root.putObject("last");
        last.forEach(all::set);
        StateBytes.replace(file, JSON.writeValueAsBytes(root));
    }
}
