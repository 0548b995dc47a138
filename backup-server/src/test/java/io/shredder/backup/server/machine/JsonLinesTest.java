// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
