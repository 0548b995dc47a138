// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JsonLinesTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    @TempDir
    private Path temp;

    @Test
    void theAnswerIsFoundBehindTheGreetingAndEvents() throws Exception {
        String answers =
                "{\"QMP\": {\"version\": {}}}\n{\"event\": \"RESUME\"}\n{\"return\": {\"status\": \"running\"}}\n";
        try (ServerSocketChannel server = server();
                JsonLines lines = JsonLines.connect(socket())) {
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
                JsonLines lines = JsonLines.connect(socket())) {
            answering(server, "{\"error\": {\"class\": \"GenericError\", \"desc\": \"no such device\"}}\n");
            assertThatThrownBy(() -> lines.ask("screendump", Map.of(), PATIENCE))
                    .hasMessage("screendump failed: no such device");
        }
    }

    @Test
    void silenceEndsInTime() throws Exception {
        try (ServerSocketChannel server = server();
                JsonLines lines = JsonLines.connect(socket())) {
            assertThat(server.isOpen()).isTrue();
            assertThatThrownBy(() -> lines.ask("guest-ping", Map.of(), Duration.ofMillis(200)))
                    .hasMessageContaining("in time");
        }
    }

    @Test
    void aLineWithoutAnEndFillsNoMemory() throws Exception {
        try (ServerSocketChannel server = server();
                JsonLines lines = JsonLines.connect(socket())) {
            answering(server, "x".repeat(3 << 20));
            assertThatThrownBy(() -> lines.ask("guest-ping", Map.of(), PATIENCE))
                    .hasMessageContaining("no answer");
        }
    }

    @Test
    void aSideThatReadsNothingIsWaitedForWithoutSpinning() throws Exception {
        try (ServerSocketChannel server = server();
                JsonLines lines = JsonLines.connect(socket());
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
                JsonLines lines = JsonLines.connect(socket());
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
