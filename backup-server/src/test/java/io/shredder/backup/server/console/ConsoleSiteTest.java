// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.shredder.backup.keepers.KeeperState.Condition;
import io.shredder.backup.monitoring.PageRequest;
import io.shredder.backup.monitoring.PageServer.Answer;
import io.shredder.backup.schedule.JobStatus;
import io.shredder.backup.schedule.RunProgress;
import io.shredder.backup.server.alert.Alert;
import io.shredder.backup.server.alert.AlertKind;
import io.shredder.backup.server.alert.Outcomes;
import io.shredder.backup.server.job.CareOutcome;
import io.shredder.backup.server.job.ImageOutcome;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every answer is held beside the OpenAPI document. */
class ConsoleSiteTest {

    private static final Map<String, String> LOCAL = Map.of("host", "localhost:7425");
    private static final Instant LAST_NIGHT = Instant.parse("2026-03-02T02:40:00Z");
    private static final String CONFIG = "console: {listen: '127.0.0.1:0'}\n"
            + "jobs:\n"
            + "  nightly: {schedule: '30 2 * * *', time-zone: UTC, images: {ok1: {file: a}, late1: {file: b}, failed1: {file: c}, never1:"
            + " {file: d}}}\n"
            + "  by-hand: {images: {old1: {file: e}}}\n"
            + "care:\n"
            + "  proof: {schedule: '0 6 * * *', verify: {all-in: 30d}}\n"
            + "  second: {schedule: '0 7 * * *', copy: {to: 'second.example:7420'}}\n"
            + "  starts: {schedule: '0 10 * * 0', boot: {images: [ok1, late1], expect: 'login:', pictures: screens}}\n";

    @TempDir
    private Path folder;

    private ConsoleDaemon daemon;
    private ConsoleSite site;

    @BeforeEach
    void start() throws IOException {
        daemon = new ConsoleDaemon(folder, CONFIG);
        site = new ConsoleSite(daemon.config().console().orElseThrow(), daemon.sources());
    }

    @AfterEach
    void stop() throws IOException {
        daemon.close();
    }

    private Answer ask(String path, String... query) {
        Map<String, List<String>> parameters = IntStream.range(0, query.length / 2)
                .boxed()
                .collect(Collectors.toMap(i -> query[2 * i], i -> List.of(query[2 * i + 1])));
        return site.answer(new PageRequest(path, parameters, LOCAL, Optional.empty()));
    }

    private JsonNode api(String path, String documented, String... query) throws IOException {
        Answer answer = ask("/api/v1" + path, query);
        assertThat(answer.body().length()).isLessThan(200_000);
        return ApiSchema.checked(documented, answer.status(), answer.body().text());
    }

    private JsonNode api(String path) throws IOException {
        return api(path, path);
    }

    private static ImageOutcome failure(String image) {
        return new ImageOutcome(image, Optional.empty(), Optional.of("disk full"), Duration.ofSeconds(3));
    }

    private void aNight() {
        daemon.at(Instant.parse("2026-03-01T02:40:00Z"));
        daemon.history().imageEnded("nightly", Outcomes.succeeded("late1", 2000, 10, 5));
        daemon.history().imageEnded("by-hand", Outcomes.succeeded("old1", 3000, 10, 5));
        daemon.at(LAST_NIGHT);
        daemon.history().jobStarted("nightly");
        daemon.history().imageEnded("nightly", Outcomes.succeeded("ok1", 1000, 100, 40));
        daemon.history().imageEnded("nightly", failure("failed1"));
        daemon.history().jobEnded("nightly", false);
        daemon.at(Instant.parse("2026-03-02T12:00:00Z"));
    }

    private static List<String> texts(JsonNode rows, String key) {
        return StreamSupport.stream(rows.spliterator(), false)
                .map(row -> row.path(key).asText())
                .toList();
    }

    @Test
    void imagesStandAsTheirScheduleAndLastBackupSayAndTheWorstComeFirst() throws IOException {
        aNight();
        JsonNode page = api("/images");
        assertThat(texts(page.path("images"), "name")).containsExactly("failed1", "never1", "late1", "ok1", "old1");
        assertThat(texts(page.path("images"), "state")).containsExactly("failed", "never", "late", "ok", "ok");
        assertThat(page.path("states").toString()).isEqualTo("{\"failed\":1,\"never\":1,\"late\":1,\"ok\":2}");
        assertThat(page.at("/images/3/lastSuccess").asText()).isEqualTo(LAST_NIGHT.toString());
        daemon.at(Instant.parse("2026-03-03T03:29:00Z"));
        assertThat(texts(api("/images", "/images", "state", "ok").path("images"), "name"))
                .as("an hour after the next time it isn't late yet")
                .containsExactly("ok1", "old1");
        daemon.at(Instant.parse("2026-03-03T03:31:00Z"));
        assertThat(api("/images").at("/states/late").asInt()).isEqualTo(2);
        daemon.jobs(status("nightly", Optional.empty()));
        assertThat(api("/images").at("/states/late").asInt())
                .as("nor while its job runs")
                .isEqualTo(1);
    }

    private static JobStatus status(String job, Optional<RunProgress> progress) {
        return new JobStatus(
                job,
                true,
                Optional.of(JobStatus.Wait.PLACE),
                Optional.of(Duration.ofMinutes(11)),
                Optional.empty(),
                Optional.empty(),
                Optional.of(Instant.parse("2026-03-04T02:30:00Z")),
                progress);
    }

    @Test
    void imagesAreFoundSortedAndCutIntoPages() throws IOException {
        aNight();
        assertThat(texts(api("/images", "/images", "q", "LATE").path("images"), "name"))
                .containsExactly("late1");
        assertThat(texts(api("/images", "/images", "sort", "size").path("images"), "name"))
                .startsWith("old1", "late1", "ok1");
        assertThat(texts(api("/images", "/images", "sort", "age").path("images"), "name"))
                .containsExactly("failed1", "never1", "late1", "old1", "ok1");
        JsonNode first = api("/images", "/images", "sort", "name", "limit", "3");
        JsonNode second = api(
                "/images",
                "/images",
                "sort",
                "name",
                "limit",
                "3",
                "cursor",
                first.path("next").asText());
        assertThat(texts(first.path("images"), "name")).containsExactly("failed1", "late1", "never1");
        assertThat(texts(second.path("images"), "name")).containsExactly("ok1", "old1");
        assertThat(second.has("next")).isFalse();
        for (String[] bad : new String[][] {
            {"limit", "501"},
            {"limit", "x"},
            {"sort", "colour"},
            {"state", "<b>"},
            {"q", "x".repeat(101)},
            {"cursor", "-1"}
        }) {
            assertThat(ask("/api/v1/images", bad).status()).isEqualTo(400);
            assertThat(api("/images", "/images", bad).path("error").asText()).contains("'" + bad[0] + "'");
        }
    }

    @Test
    void anImageHasItsDaysAndItsLastFailure() throws IOException {
        aNight();
        daemon.history().imageEnded("nightly", failure("ok1"));
        JsonNode image = api("/images/ok1", "/images/{name}");
        assertThat(image.at("/days/to").asText()).isEqualTo("2026-03-02");
        assertThat(image.at("/days/from").asText()).isEqualTo("2021-03-03");
        assertThat(image.at("/days/day").toString()).isEqualTo("[1825]");
        assertThat(image.at("/days/succeeded").toString() + image.at("/days/failed"))
                .isEqualTo("[1][1]");
        assertThat(image.at("/days/newBytes/0").asInt()).isEqualTo(100);
        assertThat(image.at("/days/storedBytes/0").asInt()).isEqualTo(40);
        assertThat(image.at("/lastFailure/error").asText()).isEqualTo("disk full");
        assertThat(api("/images/ok1", "/images/{name}", "from", "2026-01-01", "to", "2026-02-01")
                        .at("/days/day"))
                .isEmpty();
        assertThat(api("/images/never1", "/images/{name}").at("/days/day")).isEmpty();
        assertThat(ask("/api/v1/images/unknown").status()).isEqualTo(404);
        assertThat(ask("/api/v1/images/ok1", "from", "2020-01-01").status()).isEqualTo(400);
        assertThat(ask("/api/v1/images/ok1", "to", "yesterday").status()).isEqualTo(400);
    }

    @Test
    void jobsSayHowFarTheyAreAndHowLongTheyWillTake() throws IOException {
        aNight();
        daemon.jobs(status(
                "nightly",
                Optional.of(new RunProgress(
                        2,
                        4,
                        List.of(
                                new RunProgress.Backup("ok1", 4000, 10_000, Duration.ofSeconds(2)),
                                new RunProgress.Backup("late1", 0, 0, Duration.ZERO))))));
        JsonNode jobs = api("/jobs");
        assertThat(texts(jobs.path("jobs"), "name")).containsExactly("nightly", "by-hand", "proof", "second", "starts");
        assertThat(texts(jobs.path("jobs"), "kind")).containsExactly("backup", "backup", "verify", "copy", "boot");
        JsonNode nightly = api("/jobs/nightly", "/jobs/{name}");
        assertThat(nightly).isEqualTo(jobs.at("/jobs/0"));
        assertThat(nightly.at("/last/result").asText()).isEqualTo("failed");
        assertThat(nightly.at("/stalledSeconds").asInt()).isEqualTo(660);
        assertThat(nightly.at("/waitsFor").asText()).isEqualTo("place");
        assertThat(nightly.at("/progress/underWay/0/bytesPerSecond").asInt()).isEqualTo(2000);
        assertThat(nightly.at("/progress/underWay/0/remainingSeconds").asInt()).isEqualTo(3);
        assertThat(nightly.at("/progress/underWay/1").has("remainingSeconds")).isFalse();
        assertThat(api("/images").at("/images").findValuesAsText("running")).contains("true");
        assertThat(ask("/api/v1/jobs/none").status()).isEqualTo(404);
    }

    @Test
    void runsComeNewestFirstAndCanBeChosen() throws IOException {
        aNight();
        JsonNode runs = api("/runs");
        assertThat(texts(runs.path("runs"), "what"))
                .containsExactly("job", "backup", "backup", "job", "backup", "backup");
        assertThat(texts(api("/runs", "/runs", "image", "ok1").path("runs"), "job"))
                .containsExactly("nightly");
        assertThat(texts(api("/runs", "/runs", "job", "by-hand").path("runs"), "image"))
                .containsExactly("old1");
        assertThat(texts(api("/runs", "/runs", "result", "failed").path("runs"), "what"))
                .containsExactly("job", "backup");
        JsonNode first = api("/runs", "/runs", "limit", "4");
        JsonNode second =
                api("/runs", "/runs", "limit", "4", "cursor", first.path("next").asText());
        assertThat(texts(second.path("runs"), "image")).containsExactly("old1", "late1");
        assertThat(ask("/api/v1/runs", "image", "../secret").status()).isEqualTo(400);
    }

    @Test
    void eventsHaveWhatIsWrongNowAndWhatWasTold() throws IOException {
        daemon.alerts(new Alert(AlertKind.IMAGE_FAILED, "nightly/failed1", "disk full", LAST_NIGHT, false));
        daemon.history().alert("image-failed", "nightly/failed1", "it failed", false);
        daemon.history().alert("image-failed", "nightly/failed1", "it is over", true);
        JsonNode events = api("/events");
        assertThat(texts(events.path("events"), "state")).containsExactly("recovered", "raised");
        assertThat(texts(events.path("wrong"), "subject")).containsExactly("nightly/failed1");
        assertThat(api("/about").path("wrongNow").asInt()).isOne();
    }

    @Test
    void careHasItsOutcomesTheStoreAndOnlyPicturesThatTheConfigurationNames() throws IOException {
        daemon.history()
                .careEnded("proof", care(CareOutcome.Kind.VERIFY, Optional.empty(), List.of("chunk 7 is damaged")));
        daemon.history().careEnded("starts", care(CareOutcome.Kind.BOOT, Optional.of("ok1"), List.of()));
        daemon.history().keepersSeen(Outcomes.keepers(Condition.AWAY, 2, false));
        Files.createDirectories(folder.resolve("screens"));
        Files.write(folder.resolve("screens/ok1.png"), new byte[] {1, 2, 3});
        Files.write(folder.resolve("screens/secret.png"), new byte[] {4});
        JsonNode care = api("/care");
        assertThat(texts(care.path("care"), "kind")).containsExactly("verify", "copy", "boot", "boot");
        assertThat(care.at("/care/0/last/problems/0").asText()).isEqualTo("chunk 7 is damaged");
        assertThat(care.at("/care/2/picture").asText()).isEqualTo("care/boot/ok1.png");
        assertThat(care.at("/care/3").has("picture")).isFalse();
        assertThat(care.at("/store/keepers/0/condition").asText()).isEqualTo("away");
        Answer picture = ask("/api/v1/care/boot/ok1.png");
        assertThat(picture.type()).isEqualTo("image/png");
        assertThat(picture.body().length()).isEqualTo(3);
        for (String path : List.of("late1", "secret", "../screens/ok1", "..%2fserver", "")) {
            assertThat(ask("/api/v1/care/boot/" + path + ".png").status())
                    .as(path)
                    .isEqualTo(404);
        }
    }

    private static CareOutcome care(CareOutcome.Kind kind, Optional<String> image, List<String> problems) {
        return new CareOutcome(kind, image, Optional.empty(), problems, Map.of("boot.seconds", 4.5));
    }

    @Test
    void itsOwnFilesAreThereWithHeadersThatShutThePageIn() throws IOException {
        for (String path : List.of("/", "/index.html", "/console.css", "/console.js", "/images.js", "/icon.svg")) {
            Answer answer = ask(path);
            assertThat(answer.status()).as(path).isEqualTo(200);
            assertThat(answer.headers())
                    .containsEntry("x-content-type-options", "nosniff")
                    .containsEntry("x-frame-options", "DENY")
                    .containsEntry("referrer-policy", "no-referrer")
                    .hasEntrySatisfying("content-security-policy", policy -> assertThat(policy)
                            .contains("default-src 'none'", "frame-ancestors 'none'")
                            .doesNotContain("unsafe", "http"));
            assertThat(answer.body().text().replace("http://www.w3.org/2000/svg", "the name of a kind"))
                    .as(path)
                    .doesNotContain("http:", "https:", "style=", "onclick");
        }
        for (String path :
                List.of("/server.yaml", "/../server.yaml", "/StaticFiles.class", "/api/v1/", "/api/v2/about")) {
            assertThat(ask(path).status()).as(path).isEqualTo(404);
        }
    }

    @Test
    void theDocumentNamesEachPathThatIsAnsweredAndNoOther() throws IOException {
        assertThat(ask("/api/v1/openapi.json").body().text().strip())
                .isEqualTo(new String(
                                ConsoleSite.class
                                        .getResourceAsStream("openapi.json")
                                        .readAllBytes(),
                                java.nio.charset.StandardCharsets.UTF_8)
                        .strip());
        TreeSet<String> paths = new TreeSet<>();
        ApiSchema.document().path("paths").fieldNames().forEachRemaining(paths::add);
        assertThat(paths)
                .containsExactly(
                        "/about",
                        "/care",
                        "/care/boot/{image}.png",
                        "/events",
                        "/exports",
                        "/exports/{number}/close",
                        "/images",
                        "/images/{name}",
                        "/images/{name}/files",
                        "/images/{name}/open",
                        "/images/{name}/prune",
                        "/images/{name}/restore",
                        "/images/{name}/snapshots",
                        "/jobs",
                        "/jobs/{name}",
                        "/jobs/{name}/pause",
                        "/jobs/{name}/resume",
                        "/jobs/{name}/run",
                        "/jobs/{name}/stop",
                        "/listings/{number}",
                        "/openapi.json",
                        "/restores",
                        "/restores/{number}/stop",
                        "/runs");
        for (String path : paths) {
            if (path.indexOf('{') < 0) {
                assertThat(ask("/api/v1" + path).status()).as(path).isEqualTo(200);
            }
        }
    }

    @Test
    void noAnswerIsLongerThanItsLimitHoweverLongItsRowsAre() throws IOException {
        String problem = "x".repeat(1000);
        for (int i = 0; i < 60; i++) {
            daemon.history()
                    .careEnded(
                            "proof",
                            care(
                                    CareOutcome.Kind.VERIFY,
                                    Optional.empty(),
                                    java.util.Collections.nCopies(20, problem)));
            daemon.history().alert("image-failed", "nightly/" + i, problem.repeat(3), false);
        }
        daemon.alerts(IntStream.range(0, 200)
                .mapToObj(i -> new Alert(AlertKind.IMAGE_FAILED, "nightly/" + i, problem.repeat(3), LAST_NIGHT, false))
                .toArray(Alert[]::new));
        int seen = 0;
        Optional<String> cursor = Optional.of("1000");
        while (cursor.isPresent()) {
            JsonNode page = api("/runs", "/runs", "limit", "500", "cursor", cursor.get());
            seen += page.path("runs").size();
            cursor = Optional.ofNullable(page.get("next")).map(JsonNode::asText);
        }
        assertThat(seen).isEqualTo(60);
        assertThat(api("/events", "/events", "limit", "500").path("wrongNow").asInt())
                .isEqualTo(200);
    }
}
