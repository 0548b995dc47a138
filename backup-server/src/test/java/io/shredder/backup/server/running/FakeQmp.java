// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.running;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.Channels;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;

/** What QEMU answers, as slowly as is wanted: it does one thing after the other, and knows of backup jobs. */
final class FakeQmp implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    private final Map<String, Long> slow = new ConcurrentHashMap<>();
    private final Map<String, String> bad = new ConcurrentHashMap<>();
    private final List<String> asked = new ArrayList<>();
    private final Set<String> jobs = new TreeSet<>();
    private final Thread thread = new Thread(this::serve, "fake-qmp");

    FakeQmp(Path socket) throws IOException {
        server.bind(UnixDomainSocketAddress.of(socket));
        thread.setDaemon(true);
        thread.start();
    }

    /** A command that takes its time. */
    void slow(String command, long ms) {
        slow.put(command, ms);
    }

    /** A command that fails. */
    void bad(String command, String why) {
        bad.put(command, why);
    }

    /** What was asked until now: command and what it is of. */
    synchronized List<String> asked() {
        return List.copyOf(asked);
    }

    synchronized Set<String> jobs() {
        return Set.copyOf(jobs);
    }

    /** As when somebody cancels it, or it can write no more. */
    synchronized void endJobs() {
        jobs.clear();
    }

    private void serve() {
        while (server.isOpen()) {
            try (SocketChannel channel = server.accept();
                    BufferedReader lines = new BufferedReader(Channels.newReader(channel, StandardCharsets.UTF_8))) {
                write(channel, JSON.createObjectNode().set("QMP", JSON.createObjectNode()));
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    JsonNode question = JSON.readTree(line);
                    ObjectNode answer = answer(question);
                    answer.set("id", question.path("id"));
                    write(channel, answer);
                }
            } catch (IOException | InterruptedException e) {
                // It is through, or the next one may come.
            }
        }
    }

    private static void write(SocketChannel channel, JsonNode line) throws IOException {
        channel.write(ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8)));
    }

    private ObjectNode answer(JsonNode question) throws InterruptedException {
        String command = question.path("execute").asText();
        JsonNode arguments = question.path("arguments");
        Thread.sleep(slow.getOrDefault(command, 0L));
        synchronized (this) {
            asked.add((command + " " + arguments.path("device").asText()
                            + arguments.path("node-name").asText())
                    .strip());
            if (bad.containsKey(command)) {
                ObjectNode error = JSON.createObjectNode().put("desc", bad.get(command));
                return JSON.createObjectNode().set("error", error);
            }
            JsonNode given = JSON.createObjectNode();
            if (command.equals("transaction")) {
                arguments.path("actions").forEach(this::begin);
            } else if (command.equals("block-job-cancel")) {
                jobs.remove(arguments.path("device").asText());
            } else if (command.equals("query-block-jobs")) {
                given = JSON.valueToTree(
                        jobs.stream().map(job -> Map.of("device", job)).toList());
            }
            return JSON.createObjectNode().set("return", given);
        }
    }

    private void begin(JsonNode action) {
        if (action.path("type").asText().equals("blockdev-backup")) {
            jobs.add(action.at("/data/job-id").asText());
        }
    }

    @Override
    public void close() throws IOException {
        server.close();
        thread.interrupt();
    }
}
