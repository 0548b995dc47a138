// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.machine;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shredder.backup.server.text.Json;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Questions and answers, each a line of JSON: QEMU's machine protocol (QMP), and that of its guest agent. What comes
 * unasked is passed over. One thread.
 */
public final class JsonLines implements Closeable {

    /** The guest's side is not trusted, so a line has an end. */
    private static final int MOST_LINE_BYTES = 1 << 20;

    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final SocketChannel channel;
    private final Selector selector;
    private final ByteBuffer received = ByteBuffer.allocate(MOST_LINE_BYTES);

    private JsonLines(SocketChannel channel, Selector selector) {
        this.channel = channel;
        this.selector = selector;
    }

    /** Whoever connects closes it. */
    public static JsonLines connect(Path socket) throws IOException {
        SocketChannel channel = SocketChannel.open(UnixDomainSocketAddress.of(socket));
        try {
            channel.configureBlocking(false);
            Selector selector = Selector.open();
            channel.register(selector, SelectionKey.OP_READ);
            return new JsonLines(channel, selector);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /**
     * Asks, and waits for the answer.
     *
     * @throws IOException if it is an error, or there is none in time
     */
    public JsonNode ask(String command, Map<String, ?> arguments, Duration patience) throws IOException {
        Map<String, Object> question = new LinkedHashMap<>();
        question.put("execute", command);
        if (!arguments.isEmpty()) {
            question.put("arguments", arguments);
        }
        ByteBuffer line = ByteBuffer.wrap((Json.line(question) + "\n").getBytes(StandardCharsets.UTF_8));
        long endNs = System.nanoTime() + patience.toNanos();
        send(line, endNs, command);
        while (true) {
            JsonNode answer = next(endNs, command);
            if (answer.has("return")) {
                return answer.get("return");
            }
            if (answer.has("error")) {
                throw new IOException(
                        command + " failed: " + answer.get("error").path("desc").asText());
            }
        }
    }

    /** The other side may read nothing for a while. */
    private void send(ByteBuffer line, long endNs, String command) throws IOException {
        SelectionKey key = channel.keyFor(selector);
        while (line.hasRemaining()) {
            if (channel.write(line) > 0) {
                continue;
            }
            long leftMs = (endNs - System.nanoTime()) / 1_000_000;
            if (leftMs <= 0) {
                throw new IOException(command + " could not be asked: nothing is read at the other side");
            }
            key.interestOps(SelectionKey.OP_WRITE);
            try {
                selector.select(leftMs);
                selector.selectedKeys().clear();
            } finally {
                key.interestOps(SelectionKey.OP_READ);
            }
        }
    }

    private JsonNode next(long endNs, String command) throws IOException {
        while (true) {
            for (int i = 0; i < received.position(); i++) {
                if (received.get(i) == '\n') {
                    String line = new String(received.array(), 0, i, StandardCharsets.UTF_8);
                    received.limit(received.position()).position(i + 1);
                    received.compact();
                    return MAPPER.readTree(line.isBlank() ? "{}" : line);
                }
            }
            long leftMs = (endNs - System.nanoTime()) / 1_000_000;
            if (leftMs <= 0 || !received.hasRemaining()) {
                throw new IOException("no answer to " + command + " in time");
            }
            selector.select(leftMs);
            selector.selectedKeys().clear();
            if (channel.read(received) < 0) {
                throw new EOFException("the other side of " + command + " has gone");
            }
        }
    }

    @Override
    public void close() throws IOException {
        try (channel;
                selector) {
            received.clear();
        }
    }
}
