// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.monitoring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.server.monitoring.MonitoringServer.Answer;
import io.shredder.backup.server.monitoring.MonitoringServer.Page;
import io.shredder.backup.wire.HostPort;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class MonitoringServerTest {

    private static final String LARGE = "x".repeat(8 << 20);
    private static final Duration SOON = Duration.ofSeconds(5);

    private final List<Socket> clients = new ArrayList<>();
    private final HttpClient http = HttpClient.newHttpClient();
    private MonitoringServer server;

    @BeforeEach
    void start() throws IOException {
        server = start(Duration.ofMinutes(1));
    }

    private static MonitoringServer start(Duration longest) throws IOException {
        Map<String, Page> pages = Map.of(
                "/health", () -> new Answer(503, "application/json", "{}\n"),
                "/metrics", () -> new Answer(200, "text/plain", LARGE));
        return MonitoringServer.start(HostPort.parse("127.0.0.1:0"), pages, longest);
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
    void thoseBeyondTheMostAreTurnedAwayAndItGoesOn() throws Exception {
        for (int i = 0; i < ConnectionLimit.MOST; i++) {
            connect("GET /hea");
        }
        assertThat(connect("").getInputStream().read()).isEqualTo(-1);
        for (Socket client : clients) {
            client.close();
        }
        assertThat(ask("GET", "/health").statusCode()).isEqualTo(503);
    }

    @Test
    void anAddressThatIsTakenIsNamed() {
        assertThatThrownBy(() -> MonitoringServer.start(
                        HostPort.parse("127.0.0.1:" + server.port()), Map.of(), Duration.ofMinutes(1)))
                .hasMessageStartingWith("can't listen on 127.0.0.1:" + server.port() + " for monitoring: ");
    }
}
