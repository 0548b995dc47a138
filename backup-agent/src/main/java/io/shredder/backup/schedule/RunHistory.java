// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.schedule;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * When each job was last seen to, and until when it is paused, kept in {@code history.json} of the state folder, so
 * that a restart neither repeats nor forgets a run. Old whole or new whole after a crash. Thread-safe; one daemon a
 * folder, which {@link StateLock} sees to.
 */
public final class RunHistory {

    private static final ObjectMapper MAPPER = new ObjectMapper();
    private static final int VERSION = 1;

    private final Path file;
    private final long seed;
    private final Map<String, Instant> handled = new TreeMap<>();
    private final Map<String, Instant> paused = new TreeMap<>();

    private RunHistory(Path folder, long seed) {
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
            readTimes(root.path("handled"), history.handled);
            readTimes(root.path("paused"), history.paused);
            return history;
        } catch (JsonProcessingException | DateTimeException e) {
            throw damaged(
                    file, String.valueOf(e.getMessage()).lines().findFirst().orElse(""), e);
        }
    }

    private static void readTimes(JsonNode jobs, Map<String, Instant> into) {
        for (Map.Entry<String, JsonNode> job : jobs.properties()) {
            into.put(job.getKey(), Instant.parse(job.getValue().asText()));
        }
    }

    private static IOException damaged(Path file, String what, @org.jspecify.annotations.Nullable Exception cause) {
        return new IOException(
                file + " is damaged (" + what + "): move it away; jobs then wait for their next scheduled time", cause);
    }

    /** Removes that of a folder. */
    public static void remove(Path folder) throws IOException {
        Files.deleteIfExists(fileIn(folder));
    }

    /** Random once for this site. */
    public long seed() {
        return seed;
    }

    /** The latest scheduled time of a job that was seen to. */
    public synchronized Optional<Instant> handled(String job) {
        return Optional.ofNullable(handled.get(job));
    }

    /**
     * Remembers, durably.
     *
     * @throws IOException if that can't be: then it is as it was
     */
    public synchronized void setHandled(String job, Instant scheduled) throws IOException {
        set(handled, job, Optional.of(scheduled));
    }

    /** Remembers until this process ends, or something else could be written. */
    synchronized void assumeHandled(String job, Instant scheduled) {
        handled.put(job, scheduled);
    }

    /** Until when a job is paused; it may be over. */
    public synchronized Optional<Instant> pausedUntil(String job) {
        return Optional.ofNullable(paused.get(job));
    }

    /**
     * Remembers a pause, or its end, durably.
     *
     * @throws IOException if that can't be: then it is as it was
     */
    public synchronized void setPausedUntil(String job, Optional<Instant> until) throws IOException {
        set(paused, job, until);
    }

    private void set(Map<String, Instant> times, String job, Optional<Instant> time) throws IOException {
        Optional<Instant> before = Optional.ofNullable(times.get(job));
        put(times, job, time);
        try {
            write();
        } catch (IOException e) {
            put(times, job, before);
            throw e;
        }
    }

    private static void put(Map<String, Instant> times, String job, Optional<Instant> time) {
        if (time.isPresent()) {
            times.put(job, time.get());
        } else {
            times.remove(job);
        }
    }

    private void write() throws IOException {
        ObjectNode root = MAPPER.createObjectNode().put("version", VERSION).put("seed", seed);
        writeTimes(handled, root.putObject("handled"));
        if (!paused.isEmpty()) {
            writeTimes(paused, root.putObject("paused"));
        }
        StateBytes.replace(file, MAPPER.writerWithDefaultPrettyPrinter().writeValueAsBytes(root));
    }

    private static void writeTimes(Map<String, Instant> jobs, ObjectNode into) {
        jobs.forEach((name, time) -> into.put(name, time.toString()));
    }
}
