// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.ConnectException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(60)
class JsonLinesTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @TempDir
    private Path temp;

    @Test
    void theAnswerIsFoundBehindTheGreetingAndEvents() throws Exception {
        String answers =
                "{\"QMP\": {\"version\": {}}}\n{\"event\": \"RESUME\"}\n{\"return\": {\"status\": \"running\"}}\n";
        try (ServerSocketChannel server = server();
                JsonLines lines = JsonLines.connect(socket(), PATIENCE)) {
            CompletableFuture<String> asked = answering(server, answers);
            assertThat(lines.ask("query-status", Map.of("a", 1), PATIENCE)
                            .path("status")
                            .asText())
                    .isEqualTo("running");
            assertThat(asked.get()).isEqualTo("{\"execute\":\"query-status\",\"arguments\":{\"a\":1}}\n");
        }
    }

    @Test
    void anErrorIsSaid() throws Exception {
        try (ServerSocketChannel server = server();
                JsonLines lines = JsonLines.connect(socket(), PATIENCE)) {
            answering(server, "{\"error\": {\"class\": \"GenericError\", \"desc\": \"no such device\"}}\n");
            assertThatThrownBy(() -> lines.ask("screendump", Map.of(), PATIENCE))
                    .hasMessage("screendump failed: no such device");
        }
    }

    @Test
    void silenceEndsInTime() throws Exception {
        try (ServerSocketChannel server = server();
                JsonLines lines = JsonLines.connect(socket(), PATIENCE)) {
            assertThat(server.isOpen()).isTrue();
            assertThatThrownBy(() -> lines.ask("guest-ping", Map.of(), Duration.ofMillis(200)))
                    .hasMessageContaining("in time");
        }
    }

    @Test
    void aLineWithoutAnEndFillsNoMemory() throws Exception {
        try (ServerSocketChannel server = server();
                JsonLines lines = JsonLines.connect(socket(), PATIENCE)) {
            answering(server, "x".repeat(3 << 20));
            assertThatThrownBy(() -> lines.ask("guest-ping", Map.of(), PATIENCE))
                    .hasMessageContaining("no answer");
        }
    }

    @Test
    void aSideThatReadsNothingIsWaitedForWithoutSpinning() throws Exception {
        try (ServerSocketChannel server = server();
                JsonLines lines = JsonLines.connect(socket(), PATIENCE);
                SocketChannel other = server.accept()) {
            ThreadMXBean threads = ManagementFactory.getThreadMXBean();
            long beganNs = threads.getCurrentThreadCpuTime();
            assertThatThrownBy(() -> lines.ask(
                            "guest-file-write", Map.of("buf-b64", "x".repeat(8 << 20)), Duration.ofSeconds(2)))
                    .hasMessageContaining("nothing is read at the other side");
            assertThat(threads.getCurrentThreadCpuTime() - beganNs).isLessThan(1_000_000_000);
            assertThat(other.isOpen()).isTrue();
        }
    }

    @Test
    void aLongQuestionGoesOnOnceItIsRead() throws Exception {
        try (ServerSocketChannel server = server();
                JsonLines lines = JsonLines.connect(socket(), PATIENCE);
                SocketChannel other = server.accept()) {
            CompletableFuture<Void> slow = CompletableFuture.runAsync(() -> {
                try {
                    Thread.sleep(300);
                    ByteBuffer into = ByteBuffer.allocate(1 << 20);
                    do {
                        into.clear();
                        other.read(into);
                    } while (into.get(into.position() - 1) != '\n');
                    other.write(ByteBuffer.wrap("{\"return\": 5}\n".getBytes(StandardCharsets.UTF_8)));
                } catch (IOException | InterruptedException e) {
                    throw new CompletionException(e);
                }
            });
            assertThat(lines.ask("guest-file-write", Map.of("buf-b64", "x".repeat(4 << 20)), PATIENCE)
                            .asInt())
                    .isEqualTo(5);
            slow.get();
        }
    }

    /** As QEMU does: it takes one client, and lets one or two wait. */
    @Test
    void whoeverServesAnotherIsNotWaitedForForEver() throws Exception {
        List<JsonLines> all = new ArrayList<>();
        try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
            server.bind(UnixDomainSocketAddress.of(socket()), 1);
            all.add(JsonLines.connect(socket(), PATIENCE));
            try (SocketChannel first = server.accept()) {
                assertThat(first.isOpen()).isTrue();
                assertThatThrownBy(() -> {
                            for (int i = 0; i < 3; i++) {
                                all.add(JsonLines.connect(socket(), Duration.ofMillis(300)));
                            }
                        })
                        .isInstanceOf(BusySocketException.class)
                        .hasMessageContaining("somebody else is connected to " + socket());
            }
        } finally {
            for (JsonLines each : all) {
                each.close();
            }
        }
        assertThatThrownBy(() -> JsonLines.connect(socket(), PATIENCE)).isInstanceOf(ConnectException.class);
        assertThatThrownBy(() -> JsonLines.connect(temp.resolve("none"), PATIENCE))
                .hasMessageContaining("No such file");
    }

    @Test
    void anAnswerThatCameTooLateIsNotTakenForTheNext() throws Exception {
        try (ServerSocketChannel server = server();
                JsonLines lines = JsonLines.connect(socket(), PATIENCE);
                SocketChannel other = server.accept()) {
            assertThatThrownBy(() -> lines.askNumbered("transaction", Map.of(), Duration.ofMillis(100)))
                    .hasMessageContaining("in time");
            String answers = "{\"return\": {}, \"id\": 1}\n{\"event\": \"STOP\"}\n{\"return\": [7], \"id\": 2}\n";
            other.write(ByteBuffer.wrap(answers.getBytes(StandardCharsets.UTF_8)));
            assertThat(lines.askNumbered("query-block-jobs", Map.of(), PATIENCE)
                            .path(0)
                            .asInt())
                    .isEqualTo(7);
        }
    }

    private Path socket() {
        return temp.resolve("s");
    }

    private ServerSocketChannel server() throws Exception {
        ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
        server.bind(UnixDomainSocketAddress.of(socket()));
        return server;
    }

    /** Reads a question and answers; gives the question. */
    private static CompletableFuture<String> answering(ServerSocketChannel server, String answers) {
        return CompletableFuture.supplyAsync(() -> {
            try {
                SocketChannel channel = server.accept();
                ByteBuffer question = ByteBuffer.allocate(1000);
                channel.read(question);
                ByteBuffer answer = ByteBuffer.wrap(answers.getBytes(StandardCharsets.UTF_8));
                while (answer.hasRemaining()) {
                    channel.write(answer);
                }
                return new String(question.array(), 0, question.position(), StandardCharsets.UTF_8);
            } catch (java.io.IOException e) {
                throw new java.io.UncheckedIOException(e);
            }
        });
    }
}
