// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.alert;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.icegreen.greenmail.util.GreenMail;
import com.icegreen.greenmail.util.ServerSetup;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.shredder.backup.server.config.AlertConfig;
import io.shredder.backup.server.config.AlertForm;
import io.shredder.backup.server.config.MailConfig;
import io.shredder.backup.wire.HostPort;
import jakarta.mail.MessagingException;
import jakarta.mail.internet.MimeMessage;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/** Real servers of HTTP and SMTP on loopback that take alerts, and whoever waits for pings. Thread-safe. */
final class AlertReceivers implements AutoCloseable {

    private static final ObjectMapper JSON = new ObjectMapper();

    private final HttpServer web = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    private final GreenMail mail = new GreenMail(new ServerSetup(0, "localhost", ServerSetup.PROTOCOL_SMTP));
    private final List<String> posted = new ArrayList<>();
    private final List<String> mailed = new ArrayList<>();
    private int pings;

    AlertReceivers() throws IOException {
        web.createContext("/", this::answer);
        web.start();
        mail.start();
    }

    private void answer(HttpExchange exchange) throws IOException {
        JsonNode body = JSON.readTree(exchange.getRequestBody().readAllBytes());
        synchronized (this) {
            if (exchange.getRequestMethod().equals("POST")) {
                posted.add((body.path("state").asText().equals("recovered") ? "recovered: " : "")
                        + (body.path("kind").asText() + " "
                                        + body.path("subject").asText())
                                .strip());
            } else {
                pings++;
            }
        }
        exchange.sendResponseHeaders(204, -1);
        exchange.close();
    }

    AlertConfig targets(Duration silence) {
        String address = "http://127.0.0.1:" + web.getAddress().getPort();
        MailConfig byMail = new MailConfig(
                List.of("ops@example.org"),
                "shredder@site1.example.org",
                new HostPort("localhost", mail.getSmtp().getPort()),
                MailConfig.Tls.NONE,
                Optional.empty(),
                Optional.empty(),
                Optional.empty());
        return new AlertConfig(
                Optional.of(address + "/hook"),
                AlertForm.JSON,
                Optional.of(byMail),
                Optional.of(address + "/ping"),
                Optional.of(silence),
                Duration.ofDays(7));
    }

    /** What came by HTTP so far: {@code KIND SUBJECT}, or {@code recovered: KIND SUBJECT}. */
    synchronized List<String> posted() {
        return List.copyOf(posted);
    }

    synchronized int pings() {
        return pings;
    }

    /** The same of what came by mail. */
    synchronized List<String> mailed() throws MessagingException {
        MimeMessage[] messages = mail.getReceivedMessages();
        for (int next = mailed.size(); next < messages.length; next++) {
            mailed.add(messages[next].getSubject().replaceFirst("^\\[site1\\] ", ""));
        }
        return List.copyOf(mailed);
    }

    /** Waits until so much has come to both, or a while has gone by. */
    void await(int messages) throws InterruptedException {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        mail.waitForIncomingEmail(TimeUnit.SECONDS.toMillis(20), messages);
        while (posted().size() < messages && System.nanoTime() < until) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    /** The same until so many pings have come. */
    void awaitPings(int number) throws InterruptedException {
        long until = System.nanoTime() + TimeUnit.SECONDS.toNanos(20);
        while (pings() < number && System.nanoTime() < until) {
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    @Override
    public void close() {
        web.stop(0);
        mail.stop();
    }
}
