// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.job;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.security.SecureRandom;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * When each job was last seen to, kept in {@code history.json} of the state folder, so that a restart neither repeats
 * nor forgets a run. Old whole or new whole after a crash. Thread-safe; one daemon a folder, which {@link StateLock}
 * sees to.
 */
public final class RunHistory {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final int VERSION = 1;

    private final Path folder;
    private final Path file;
    private final long seed;
    private final Map<String, Instant> handled = new TreeMap<>();

    private RunHistory(Path folder, long seed) {
        this.folder = folder;
        this.file = fileIn(folder);
        this.seed = seed;
    }

    private static Path fileIn(Path folder) {
        return folder.resolve("history.json");
    }

    /**
     * Reads the history, or begins one.
     *
     * @throws IOException if it is damaged, naming the file
     */
    public static RunHistory open(Path folder) throws IOException {
        Path file = fileIn(folder);
        if (!Files.exists(file)) {
            return new RunHistory(folder, new SecureRandom().nextLong());
        }
        try {
            JsonNode root = MAPPER.readTree(Files.readAllBytes(file));
            if (root.path("version").asInt() != VERSION || !root.path("seed").isIntegralNumber()) {
                throw damaged(file, "it has no version " + VERSION, null);
            }
            RunHistory history = new RunHistory(folder, root.path("seed").asLong());
            for (Map.Entry<String, JsonNode> job : root.path("handled").properties()) {
                history.handled.put(job.getKey(), Instant.parse(job.getValue().asText()));
            }
            return history;
        } catch (JsonProcessingException | DateTimeException e) {
            throw damaged(
                    file, String.valueOf(e.getMessage()).lines().findFirst().orElse(""), e);
        }
    }

    private static IOException damaged(Path file, String what, @org.jspecify.annotations.Nullable Exception cause) {
        return new IOException(
                file + " is damaged (" + what + "): move it away; jobs then wait for their next scheduled time", cause);
    }

    /** Random once for this site. */
    public long seed() {
        return seed;
    }

    /** The latest scheduled time of a job that was seen to. */
    public synchronized Optional<Instant> handled(String job) {
        return Optional.ofNullable(handled.get(job));
    }

    /** Remembers, durably. */
    public synchronized void setHandled(String job, Instant scheduled) throws IOException {
        handled.put(job, scheduled);
        ObjectNode root = MAPPER.createObjectNode().put("version", VERSION).put("seed", seed);
        ObjectNode times = root.putObject("handled");
        handled.forEach((name, time) -> times.put(name, time.toString()));
        publish(MAPPER.writerWithDefaultPrettyPrinter().writeValueAsBytes(root));
    }

    private void publish(byte[] bytes) throws IOException {
        Path temporary = file.resolveSibling(file.getFileName() + ".new");
        try (FileChannel channel = FileChannel.open(
                temporary, StandardOpenOption.CREATE, StandardOpenOption.WRITE, StandardOpenOption.TRUNCATE_EXISTING)) {
            ByteBuffer left = ByteBuffer.wrap(bytes);
            while (left.hasRemaining()) {
                channel.write(left);
            }
            channel.force(true);
        }
        Files.move(temporary, file, StandardCopyOption.ATOMIC_MOVE);
        try (FileChannel names = FileChannel.open(folder, StandardOpenOption.READ)) {
            names.force(true);
        }
    }
}
