// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.machine;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shredder.backup.server.text.Json;
import java.io.Closeable;
import java.io.EOFException;
import java.io.IOException;
import java.net.ConnectException;
import java.net.SocketException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.UserPrincipal;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.OptionalLong;
import jdk.net.ExtendedSocketOptions;

/**
 * Questions and answers, each a line of JSON: QEMU's machine protocol (QMP), and that of its guest agent. What comes
 * unasked is passed over. One thread.
 */
public final class JsonLines implements Closeable {

    /** The guest's side is not trusted, so a line has an end. */
    private static final int MOST_LINE_BYTES = 1 << 20;

    private static final long STEP_MS = 20;
    private static final ObjectMapper MAPPER = new ObjectMapper();

    private final SocketChannel channel;
    private final Selector selector;
    private final ByteBuffer received = ByteBuffer.allocate(MOST_LINE_BYTES);
    private long questions;

    private JsonLines(SocketChannel channel, Selector selector) {
        this.channel = channel;
        this.selector = selector;
    }

    /**
     * Whoever connects closes it.
     *
     * @param patience with others that are connected: QEMU takes one after the other, and lets few wait
     * @throws BusySocketException if it was in vain
     */
    public static JsonLines connect(Path socket, Duration patience) throws IOException {
        long endNs = System.nanoTime() + patience.toNanos();
        while (true) {
            try {
                return connect(socket);
            } catch (ConnectException e) {
                throw e; // Nobody listens.
            } catch (SocketException e) {
                if (!Files.isWritable(socket)) {
                    throw e;
                } else if (System.nanoTime() > endNs) {
                    throw new BusySocketException(socket, e);
                }
            }
            try {
                Thread.sleep(STEP_MS);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("interrupted", e);
            }
        }
    }

    /** Never waits: a connect that the system puts off, for others wait already, might wait for ever. */
    private static JsonLines connect(Path socket) throws IOException {
        SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX);
        try {
            channel.configureBlocking(false);
            channel.connect(UnixDomainSocketAddress.of(socket));
            Selector selector = Selector.open();
            channel.register(selector, SelectionKey.OP_READ);
            return new JsonLines(channel, selector);
        } catch (IOException e) {
            channel.close();
            throw e;
        }
    }

    /** Whom it is connected to: who made the socket. */
    public UserPrincipal peer() throws IOException {
        return channel.getOption(ExtendedSocketOptions.SO_PEERCRED).user();
    }

    /**
     * Asks, and waits for the answer; for one whose answers have no numbers, such as a guest's agent.
     *
     * @throws IOException if it is an error, or there is none in time
     */
    public JsonNode ask(String command, Map<String, ?> arguments, Duration patience) throws IOException {
        return ask(command, arguments, OptionalLong.empty(), patience);
    }

    /** The same for one who answers with the question's number: answers that came too late are passed over. */
    public JsonNode askNumbered(String command, Map<String, ?> arguments, Duration patience) throws IOException {
        return ask(command, arguments, OptionalLong.of(++questions), patience);
    }

    private JsonNode ask(String command, Map<String, ?> arguments, OptionalLong number, Duration patience)
            throws IOException {
        Map<String, Object> question = new LinkedHashMap<>();
        question.put("execute", command);
        if (!arguments.isEmpty()) {
            question.put("arguments", arguments);
        }
        number.ifPresent(id -> question.put("id", id));
        ByteBuffer line = ByteBuffer.wrap((Json.line(question) + "\n").getBytes(StandardCharsets.UTF_8));
        long endNs = System.nanoTime() + patience.toNanos();
        send(line, endNs, command);
        while (true) {
            JsonNode answer = next(endNs, command);
            if (number.isPresent() && answer.has("id") && answer.get("id").asLong() != number.getAsLong()) {
                continue;
            }
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
