// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.monitoring.PageServer.Answer;
import io.shredder.backup.monitoring.PageServer.Page;
import io.shredder.backup.monitoring.PageServer.Settings;
import io.shredder.backup.wire.HostPort;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PageServerTest {

    private static final String LARGE = "x".repeat(8 << 20);
    private static final Duration SOON = Duration.ofSeconds(5);
    /** Far more than what has been saved up lasts for, however slow the machine is. */
    private static final int MOST_IN_A_FLOOD = 60;

    private final List<Socket> clients = new ArrayList<>();
    private final HttpClient http = HttpClient.newHttpClient();
    private PageServer server;

    @BeforeEach
    void start() throws IOException {
        server = start(Duration.ofMinutes(1));
    }

    private static PageServer start(Duration longest) throws IOException {
        Map<String, Page> pages = Map.of(
                "/health", () -> new Answer(503, "application/json", "{}\n"),
                "/metrics", () -> new Answer(200, "text/plain", LARGE));
        return PageServer.start(HostPort.parse("127.0.0.1:0"), pages, longest);
    }

    @AfterEach
    void stop() throws IOException {
        for (Socket client : clients) {
            client.close();
        }
        server.close();
    }

    private Socket connect(String request) throws IOException {
        Socket client = new Socket(InetAddress.getLoopbackAddress(), server.port());
        clients.add(client);
        client.setSoTimeout((int) SOON.toMillis());
        client.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
        return client;
    }

    private HttpResponse<String> ask(String method, String path) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                .method(method, HttpRequest.BodyPublishers.noBody())
                .timeout(SOON)
                .build();
        return http.send(request, HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void answersItsPagesAndNothingElse() throws Exception {
        assertThat(ask("GET", "/health?verbose").statusCode()).isEqualTo(503);
        assertThat(ask("GET", "/health").headers().firstValue("content-type")).hasValue("application/json");
        assertThat(ask("GET", "/metrics").body()).isEqualTo(LARGE);
        assertThat(ask("GET", "/healthy").statusCode()).isEqualTo(404);
        assertThat(ask("GET", "/").body()).contains("/metrics");
        assertThat(ask("POST", "/health").statusCode()).isEqualTo(405);
        assertThat(connect("nonsense\r\n\r\n").getInputStream().readAllBytes())
                .asString(StandardCharsets.US_ASCII)
                .startsWith("HTTP/1.1 400 ");
    }

    @Test
    void clientsThatAskSlowlyOrDoNotReadStandInNobodysWay() throws Exception {
        for (int i = 0; i < 50; i++) {
            connect("GET /hea");
        }
        for (int i = 0; i < 5; i++) {
            connect("GET /metrics HTTP/1.1\r\nHost: here\r\n\r\n");
        }
        assertThat(ask("GET", "/health").statusCode()).isEqualTo(503);
    }

    @Test
    void aConnectionEndsWhateverItsClientDoes() throws Exception {
        server.close();
        server = start(Duration.ofMillis(300));
        assertThat(connect("").getInputStream().read()).isEqualTo(-1);
        assertThat(connect("GET /hea").getInputStream().read()).isEqualTo(-1);
    }

    @Test
    void idleConnectionsKeepNobodyOutAndTheOldestGiveWay() throws Exception {
        for (int i = 0; i < 2 * ConnectionLimit.MOST; i++) {
            connect("GET /hea");
        }
        assertThat(ask("GET", "/health").statusCode()).isEqualTo(503);
        assertThat(clients.get(0).getInputStream().read()).isEqualTo(-1);
    }

    @Test
    void aFloodTakesNoMoreThanTheThreadsShareAndLaterItAnswersAgain() throws Exception {
        server.close();
        Settings settings = new Settings(
                HostPort.parse("127.0.0.1:0"), "held-back", Optional.empty(), Duration.ofMinutes(1), 0.05, "wait");
        AtomicInteger answered = new AtomicInteger();
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        server = PageServer.start(settings, request -> {
            long until = threads.getCurrentThreadCpuTime() + 500_000_000;
            while (threads.getCurrentThreadCpuTime() < until) {
                Thread.onSpinWait();
            }
            return new Answer(200, "text/plain", String.valueOf(answered.incrementAndGet()));
        });
        int before = -1;
        while (answered.get() > before && before < MOST_IN_A_FLOOD) {
            before = answered.get();
            askOnce();
        }
        assertThat(answered.get()).as("then it refuses").isEqualTo(before).isBetween(5, MOST_IN_A_FLOOD - 1);
        long deadline = System.nanoTime() + Duration.ofMinutes(1).toNanos();
        while (answered.get() == before && System.nanoTime() < deadline) {
            askOnce();
        }
        assertThat(answered.get()).isGreaterThan(before);
    }

    /** Whether or not it is answered. */
    private void askOnce() throws IOException {
        try (Socket client = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
            client.getOutputStream().write("GET / HTTP/1.1\r\n\r\n".getBytes(StandardCharsets.US_ASCII));
            int unused = client.getInputStream().read();
        } catch (SocketException e) {
            // Refused.
        }
    }

    @Test
    void whoAsksIsKnownByPathQueryAndHeadersInAnyCase() throws Exception {
        server.close();
        server = PageServer.start(
                Settings.monitoring(HostPort.parse("127.0.0.1:0"), SOON, "wait"),
                request -> new Answer(
                        200,
                        "text/plain",
                        PageServer.Body.of(
                                request.path() + " " + request.parameter("q").orElse("none") + " "
                                        + request.headers().get("x-test") + " "
                                        + request.certificate().isPresent()),
                        Map.of("X-Answer", "yes")));
        assertThat(connect("GET /a%20b?q=c%26d&q=e HTTP/1.1\r\nX-TEST: 1\r\n\r\n")
                        .getInputStream()
                        .readAllBytes())
                .asString(StandardCharsets.UTF_8)
                .contains("X-Answer: yes")
                .endsWith("/a b c&d 1 false");
        assertThat(connect("GET /%zz HTTP/1.1\r\n\r\n").getInputStream().readAllBytes())
                .asString(StandardCharsets.UTF_8)
                .startsWith("HTTP/1.1 400 ");
    }

    @Test
    void anAddressThatIsTakenIsNamed() {
        assertThatThrownBy(() ->
                        PageServer.start(HostPort.parse("127.0.0.1:" + server.port()), Map.of(), Duration.ofMinutes(1)))
                .hasMessageStartingWith("can't listen on 127.0.0.1:" + server.port() + " for monitoring: ");
    }
}
