// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.console;

import static io.shredder.backup.server.console.ConsolePeople.OWN_PAGE;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.shredder.backup.agent.certs.CertificateMaker;
import io.shredder.backup.monitoring.PageRequest;
import io.shredder.backup.monitoring.PageServer.Answer;
import io.shredder.backup.schedule.JobStatus;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Who may have the daemon do what, and whom nobody can make do it. */
class ConsoleActionsTest {

    private static final Map<String, String> PROGRAM =
            Map.of("host", "site1.example:7425", "content-type", "application/json", "x-shredder-action", "1");

    private static final Map<String, X509Certificate> PEOPLE = new ConcurrentHashMap<>();

    @TempDir
    private Path folder;

    private ConsoleDaemon daemon;
    private ConsoleSite site;

    @BeforeEach
    void start() throws IOException {
        daemon = new ConsoleDaemon(
                folder,
                "console: {listen: '0.0.0.0:0', certificate: c, key: k, authority: a, people: [alice, bob, carol],"
                        + " actions: {alice: [run, stop, pause], bob: [run]}}\n"
                        + "jobs: {nightly: {images: {web1: {file: a}}}, other: {images: {web2: {file: b}}}}\n");
        site = new ConsoleSite(daemon.config().console().orElseThrow(), daemon.sources());
        daemon.jobs(status("nightly", false), status("other", true));
    }

    @AfterEach
    void stop() throws IOException {
        daemon.close();
    }

    private static JobStatus status(String job, boolean running) {
        return new JobStatus(
                job, running, Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());
    }

    private static X509Certificate certificate(String name) {
        return PEOPLE.computeIfAbsent(name, ConsoleActionsTest::make);
    }

    private static X509Certificate make(String name) {
        CertificateMaker maker = new CertificateMaker(Clock.systemUTC(), Duration.ofDays(1));
        try {
            return maker.client(maker.authority(), name).certificate();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Answer post(String person, String path, Map<String, String> headers, String body) {
        return site.answer(
                new PageRequest("POST", "/api/v1/" + path, Map.of(), headers, Optional.of(certificate(person)), body));
    }

    private static Map<String, String> with(Map<String, String> headers, String name, String value) {
        Map<String, String> all = new HashMap<>(headers);
        all.put(name, value);
        return all;
    }

    private JsonNode audit() throws IOException {
        Answer answer = site.answer(new PageRequest(
                "/api/v1/runs", Map.of(), Map.of("host", "site1.example"), Optional.of(certificate("carol"))));
        return ApiSchema.checked("/runs", answer.status(), answer.body().text()).path("runs");
    }

    @Test
    void whoHasTheRightIsHeardAndNamedInTheHistory() throws IOException {
        daemon.at(Instant.parse("2026-03-02T12:00:00Z"));
        for (Map<String, String> headers : List.of(OWN_PAGE, PROGRAM)) {
            Answer answer = post("alice", "jobs/nightly/run", headers, "{}");
            ApiSchema.checked(
                    "post", "/jobs/{name}/run", answer.status(), answer.body().text());
            assertThat(answer.status()).as(answer.body().text()).isEqualTo(202);
        }
        assertThat(post("bob", "jobs/nightly/run", OWN_PAGE, "{}").status()).isEqualTo(202);
        assertThat(post("alice", "jobs/nightly/pause", OWN_PAGE, "{\"hours\": 12}")
                        .status())
                .isEqualTo(202);
        assertThat(post("alice", "jobs/nightly/resume", OWN_PAGE, "{}").status())
                .isEqualTo(202);
        assertThat(post("alice", "jobs/other/stop", OWN_PAGE, "{}").status()).isEqualTo(202);
        assertThat(post("alice", "jobs/other/run", OWN_PAGE, "{}").status())
                .as("it runs")
                .isEqualTo(409);
        assertThat(daemon.wishes())
                .containsExactly(
                        "start nightly",
                        "start nightly",
                        "start nightly",
                        "pause nightly 2026-03-03T00:00:00Z",
                        "resume nightly",
                        "stop other");
        assertThat(audit().findValuesAsText("person"))
                .containsExactly("alice", "alice", "alice", "alice", "bob", "alice", "alice");
        assertThat(audit().findValuesAsText("action").get(3)).isEqualTo("pause until 2026-03-03T00:00:00Z");
    }

    @Test
    void nobodyElseIs() throws IOException {
        assertThat(post("bob", "jobs/other/stop", OWN_PAGE, "{}").status()).isEqualTo(403);
        assertThat(post("bob", "jobs/nightly/pause", OWN_PAGE, "{\"hours\": 1}")
                        .body()
                        .text())
                .contains("'bob' may not pause", "'console.actions'");
        assertThat(post("carol", "jobs/nightly/run", OWN_PAGE, "{}").status()).isEqualTo(403);
        assertThat(post("mallory", "jobs/nightly/run", OWN_PAGE, "{}").status()).isEqualTo(403);
        assertThat(site.answer(new PageRequest(
                                "POST", "/api/v1/jobs/nightly/run", Map.of(), OWN_PAGE, Optional.empty(), "{}"))
                        .status())
                .isEqualTo(403);
        assertThat(daemon.wishes()).isEmpty();
        assertThat(audit()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "sec-fetch-site, cross-site",
        "sec-fetch-site, same-site",
        "sec-fetch-site, none",
        "origin, https://evil.example",
        "origin, https://site1.example.evil.example:7425",
        "origin, https://site1.example",
        "origin, null"
    })
    void noPageOfElsewhereMakesAPersonDoIt(String header, String value) {
        for (String mode : List.of("cors", "no-cors", "navigate")) {
            Map<String, String> headers = with(with(OWN_PAGE, header, value), "sec-fetch-mode", mode);
            assertThat(post("alice", "jobs/nightly/run", headers, "{}").status())
                    .as(mode)
                    .isEqualTo(403);
        }
        assertThat(daemon.wishes()).isEmpty();
    }

    /** What a form of another page can send, in a browser that says nothing of where it comes from. */
    @Test
    void aFormIsNotHeard() {
        assertThat(post(
                                "alice",
                                "jobs/nightly/run",
                                Map.of("host", "site1.example:7425", "content-type", "text/plain"),
                                "{}")
                        .status())
                .isEqualTo(403);
        assertThat(post("alice", "jobs/nightly/run", with(PROGRAM, "content-type", "text/plain"), "{}")
                        .status())
                .isEqualTo(400);
        assertThat(daemon.wishes()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "[]",
                "null",
                "{",
                "{\"hours\":0}",
                "{\"hours\":721}",
                "{\"hours\":\"9\"}",
                "{}",
                "{\"hours\":1.5}",
                "{\"hours\":99999999999}",
                "{\"hours\":1,\"days\":1}"
            })
    void aBadPauseIsRefusedAndTheBadValueNamed(String body) throws IOException {
        Answer answer = post("alice", "jobs/nightly/pause", OWN_PAGE, body);
        ApiSchema.checked(
                "post", "/jobs/{name}/pause", answer.status(), answer.body().text());
        assertThat(answer.status()).isEqualTo(400);
        assertThat(daemon.wishes()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "jobs/nightly/delete, 404",
        "jobs/nightly, 404",
        "images/web1/run, 404",
        "jobs/absent/run, 404",
        "about, 404",
        "jobs//run, 404"
    })
    void whatIsNotThereIsSaid(String path, int status) throws IOException {
        assertThat(post("alice", path, OWN_PAGE, "{}").status()).isEqualTo(status);
        assertThat(daemon.wishes()).isEmpty();
        assertThat(audit()).isEmpty();
    }

    @Test
    void whatTheHistoryCanNotKeepIsNotDone() throws IOException {
        daemon.close();
        Answer answer = post("alice", "jobs/nightly/run", OWN_PAGE, "{}");
        assertThat(answer.status()).isEqualTo(500);
        assertThat(daemon.wishes()).isEmpty();
    }

    @Test
    void everybodySeesWhatHeMayDo() throws IOException {
        Answer answer = site.answer(new PageRequest(
                "/api/v1/about", Map.of(), Map.of("host", "site1.example"), Optional.of(certificate("alice"))));
        assertThat(ApiSchema.checked("/about", 200, answer.body().text())
                        .path("you")
                        .toString())
                .isEqualTo("{\"name\":\"alice\",\"may\":[\"pause\",\"run\",\"stop\"]}");
    }
}
