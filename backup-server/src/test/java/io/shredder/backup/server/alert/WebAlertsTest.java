// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.alert;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.shredder.backup.server.config.AlertConfig;
import io.shredder.backup.server.config.AlertForm;
import io.shredder.backup.server.job.ImageOutcome;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Alerts and pings to a real HTTP server that takes them badly. */
@Timeout(value = 1, unit = TimeUnit.MINUTES)
class WebAlertsTest {

    private static final int TAKEN = 204;

    @TempDir
    private Path folder;

    /** What the server answers next at the webhook, and at the ping's address; then it takes all. */
    private final Queue<Integer> answers = new ConcurrentLinkedQueue<>();

    private final Queue<Integer> pingAnswers = new ConcurrentLinkedQueue<>();

    /** Method, path, and what stands in a message; of pings those that were answered. */
    private final BlockingQueue<String> came = new LinkedBlockingQueue<>();

    private HttpServer web;
    private Alerts alerts;

    @BeforeEach
    void start() throws IOException {
        web = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        web.createContext("/hook", exchange -> answer(exchange, answers));
        web.createContext("/moved", exchange -> answer(exchange, new ConcurrentLinkedQueue<>()));
        web.createContext("/ping", exchange -> answer(exchange, pingAnswers));
        web.start();
        String address = "http://127.0.0.1:" + web.getAddress().getPort();
        AlertConfig targets = new AlertConfig(
                Optional.of(address + "/hook?key=secret"),
                AlertForm.JSON,
                Optional.empty(),
                Optional.of(address + "/ping"),
                Optional.empty(),
                Duration.ofDays(7));
        AlertSite site =
                new AlertSite(targets, Map.of("nightly", Set.of("vm")), Map.of(), Set.of("nightly"), Instant.MAX);
        alerts = Alerts.quiet(site, folder, Clock.systemUTC(), Duration.ofMillis(50));
    }

    @AfterEach
    void stop() throws IOException {
        alerts.close();
        web.stop(0);
    }

    private void answer(HttpExchange exchange, Queue<Integer> next) throws IOException {
        String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
        String what = body.isEmpty()
                ? ""
                : " " + new ObjectMapper().readTree(body).path("what").asText();
        Integer status = Optional.ofNullable(next.poll()).orElse(TAKEN);
        boolean isAlert = exchange.getRequestMethod().equals("POST");
        if (isAlert || status < 400) {
            came.add(
                    exchange.getRequestMethod() + " " + exchange.getRequestURI().getPath() + what);
        }
        if (status / 100 == 3) {
            exchange.getResponseHeaders().add("Location", "/moved?key=secret");
        }
        exchange.sendResponseHeaders(status, -1);
        exchange.close();
    }

    private void fail(String why) {
        alerts.imageEnded("nightly", new ImageOutcome("vm", Optional.empty(), Optional.of(why), Duration.ofSeconds(1)));
    }

    private String next() throws InterruptedException {
        return String.valueOf(came.poll(20, TimeUnit.SECONDS));
    }

    /** A client that goes there asks for a page without the alert, and takes the page for thanks. */
    @Test
    void anAlertThatIsPointedElsewhereIsNotTakenForTaken() throws Exception {
        answers.add(301);
        answers.add(302);
        answers.add(307);
        fail("no route");
        for (int i = 0; i < 4; i++) {
            assertThat(next()).isEqualTo("POST /hook no route");
        }
        assertThat(came.poll(200, TimeUnit.MILLISECONDS)).as("it was taken").isNull();
    }

    @Test
    void aPingGoesWhereItIsPointed() throws Exception {
        pingAnswers.add(301);
        alerts.jobEnded("nightly", true);
        assertThat(next()).isEqualTo("GET /ping");
        assertThat(next()).isEqualTo("GET /moved");
    }

    @Test
    void whatIsRefusedHoldsNothingUpAndWhatMayPassIsSentAgain() throws Exception {
        answers.add(413);
        answers.add(429);
        answers.add(408);
        answers.add(503);
        fail("too large");
        alerts.jobMissed("nightly");
        assertThat(next()).isEqualTo("POST /hook too large");
        for (int i = 0; i < 4; i++) {
            assertThat(next()).startsWith("POST /hook its scheduled time");
        }
    }

    @Test
    void aPingsAddressThatIsSilentHoldsNoAlertUpAndGetsTheNewestOnce() throws Exception {
        for (int i = 0; i < 100; i++) {
            pingAnswers.add(503);
        }
        for (int i = 0; i < 10; i++) {
            alerts.jobEnded("nightly", true);
        }
        fail("no route");
        assertThat(next()).isEqualTo("POST /hook no route");
        pingAnswers.clear();
        assertThat(next()).isEqualTo("GET /ping");
        assertThat(came.poll(300, TimeUnit.MILLISECONDS)).as("nine others").isNull();
    }

    @Test
    void whatIsTooLongForAnyReceiverIsCut() throws Exception {
        fail("no route ".repeat(100_000));
        assertThat(next())
                .startsWith("POST /hook no route no route")
                .endsWith("(the log has all)")
                .hasSizeLessThan(2100);
        assertThat(alerts.raised().get(0).what()).hasSize(2000);
    }
}
