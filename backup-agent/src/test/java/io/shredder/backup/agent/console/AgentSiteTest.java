// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.shredder.backup.agent.care.CareStanding;
import io.shredder.backup.agent.session.SessionStatus;
import io.shredder.backup.agent.session.TestSession;
import io.shredder.backup.agent.store.ChunkStore;
import io.shredder.backup.care.CareLedger;
import io.shredder.backup.console.ApiDocument;
import io.shredder.backup.console.Visitors;
import io.shredder.backup.monitoring.PageRequest;
import io.shredder.backup.monitoring.PageServer.Answer;
import io.shredder.backup.schedule.JobStatus;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.wire.UpkeepRequest;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Every answer of a real repository is held beside the OpenAPI document. */
class AgentSiteTest {

    private static final Map<String, String> LOCAL = Map.of("host", "localhost:7426");
    private static final Instant LATER = Instant.parse("2026-03-02T12:00:00Z");
    private static final ApiDocument DOCUMENT = new ApiDocument(AgentSite.class);
    private static final String RIGHTS =
            """
            clients:
              site1: {rights: [append, restore], quota: 1g}
              site1-admin: {namespace: site1, rights: [restore, prune]}
              site1-second: {namespace: site1, rights: [confirm]}
              site2: {rights: [append, restore, prune]}
              never1: {rights: [append]}
              keeper1: {rights: [keep]}
            namespaces:
              site1: {delete-needs: confirm, confirm-within-hours: 24}
            """;

    @TempDir
    private Path folder;

    private ConsoleAgent agent;
    private StoreCount count;
    private AgentSite site;

    @BeforeEach
    void start() throws IOException {
        agent = new ConsoleAgent(folder, RIGHTS);
        agent.backUp("site1", "vm");
        agent.backUp("site1", "db");
        agent.at(LATER);
        agent.backUp("site1", "vm");
        agent.backUp("site2", "vm");
        count = new StoreCount(agent.repository(), agent.sources().clock());
        site = new AgentSite(new Visitors(Optional.empty()), agent.sources(), count);
    }

    @AfterEach
    void stop() throws IOException {
        count.close();
        agent.close();
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
        return DOCUMENT.checked(documented, answer.status(), answer.body().text());
    }

    private JsonNode api(String path) throws IOException {
        return api(path, path);
    }

    private static List<String> texts(JsonNode rows, String key) {
        return StreamSupport.stream(rows.spliterator(), false)
                .map(row -> row.path(key).asText())
                .toList();
    }

    @Test
    void clientsAreThoseWithSnapshotsAndThoseThatTheRightsName() throws IOException {
        JsonNode page = api("/clients");
        assertThat(texts(page.path("clients"), "name")).containsExactly("never1", "site1", "site2");
        assertThat(texts(page.path("clients"), "snapshots")).containsExactly("0", "3", "1");
        assertThat(texts(page.path("clients"), "series")).containsExactly("0", "2", "1");
        assertThat(page.at("/clients/0").has("lastSnapshot")).isFalse();
        JsonNode first = page.at("/clients/1");
        assertThat(first.path("lastSnapshot").asText()).isEqualTo(LATER.toString());
        assertThat(first.path("quotaBytes").asLong()).isEqualTo(1 << 30);
        assertThat(first.path("quotaUsedBytes").asLong())
                .as("the shortest image counts as 32 KiB of a quota")
                .isEqualTo(3 << 15);
        assertThat(first.path("imageBytes").asLong())
                .isEqualTo(agent.repository().catalogue().imageBytes(new SnapshotName("site1")))
                .isPositive();
        assertThat(page.at("/clients/2").has("quotaBytes")).isFalse();
    }

    @Test
    void clientsAreFoundSortedAndCutIntoPages() throws IOException {
        assertThat(texts(api("/clients", "/clients", "q", "SITE").path("clients"), "name"))
                .containsExactly("site1", "site2");
        assertThat(texts(api("/clients", "/clients", "sort", "age").path("clients"), "name"))
                .containsExactly("never1", "site1", "site2");
        assertThat(texts(api("/clients", "/clients", "sort", "size").path("clients"), "name"))
                .containsExactly("site1", "site2", "never1");
        JsonNode first = api("/clients", "/clients", "limit", "2");
        JsonNode second = api(
                "/clients",
                "/clients",
                "limit",
                "2",
                "cursor",
                first.path("next").asText());
        assertThat(texts(first.path("clients"), "name")).containsExactly("never1", "site1");
        assertThat(texts(second.path("clients"), "name")).containsExactly("site2");
        assertThat(second.has("next")).isFalse();
        for (String[] bad : new String[][] {
            {"limit", "501"},
            {"limit", "x"},
            {"sort", "colour"},
            {"q", "x".repeat(101)},
            {"cursor", "-1"}
        }) {
            assertThat(ask("/api/v1/clients", bad).status()).isEqualTo(400);
            assertThat(api("/clients", "/clients", bad).path("error").asText()).contains("'" + bad[0] + "'");
        }
    }

    @Test
    void aClientHasItsSeriesItsRightsAndWhatWaitsForASecondClient() throws IOException {
        try (TestSession admin = agent.session("site1-admin")) {
            admin.ask(new UpkeepRequest.Delete(List.of(1L, 2L)));
        }
        JsonNode client = api("/clients/site1", "/clients/{name}");
        assertThat(client.at("/client/name").asText()).isEqualTo("site1");
        assertThat(texts(client.path("series"), "name")).containsExactly("db", "vm");
        assertThat(texts(client.path("series"), "lastId")).containsExactly("2", "3");
        assertThat(texts(client.path("access"), "client")).containsExactly("site1", "site1-admin", "site1-second");
        assertThat(client.at("/access/1/may").toString()).isEqualTo("[\"prune\",\"restore\"]");
        assertThat(client.at("/access/1/confirmWithinSeconds").asLong()).isEqualTo(24 * 3600);
        assertThat(client.path("waiting")).hasSize(1);
        assertThat(client.at("/waiting/0/client").asText()).isEqualTo("site1-admin");
        assertThat(client.at("/waiting/0/snapshots").asInt()).isEqualTo(2);
        agent.at(LATER.plus(Duration.ofHours(24)));
        byte[] before = Files.readAllBytes(folder.resolve("repo/pending/site1"));
        assertThat(api("/clients/site1", "/clients/{name}").path("waiting"))
                .as("its time is over")
                .isEmpty();
        assertThat(folder.resolve("repo/pending/site1"))
                .as("whoever looks changes nothing")
                .hasBinaryContent(before);
        assertThat(texts(api("/clients/site1", "/clients/{name}", "q", "V").path("series"), "name"))
                .containsExactly("vm");
        assertThat(ask("/api/v1/clients/nobody").status()).isEqualTo(404);
    }

    @Test
    void aSeriesHasItsSnapshotsTheNewestFirst() throws IOException {
        JsonNode first = api("/clients/site1/vm", "/clients/{name}/{series}", "limit", "1");
        assertThat(texts(first.path("snapshots"), "id")).containsExactly("3");
        assertThat(first.at("/snapshots/0/received").asText()).isEqualTo(LATER.toString());
        JsonNode second = api(
                "/clients/site1/vm",
                "/clients/{name}/{series}",
                "cursor",
                first.path("next").asText());
        assertThat(texts(second.path("snapshots"), "id")).containsExactly("1");
        assertThat(second.has("next")).isFalse();
        assertThat(ask("/api/v1/clients/site2/db").status()).isEqualTo(404);
    }

    @Test
    void aSnapshotWhoseFileIsGoneIsNamedWhereverItIsShown() throws Exception {
        agent.close();
        Path file = folder.resolve("repo/snapshots/site1/vm/0000000000000003.snapshot");
        byte[] kept = Files.readAllBytes(file);
        Files.delete(file);
        restart();
        JsonNode vm = api("/clients/site1/vm", "/clients/{name}/{series}");
        assertThat(vm.at("/snapshots/0/problem").asText()).contains("0000000000000003.snapshot");
        assertThat(vm.at("/snapshots/1").has("problem")).isFalse();
        JsonNode store = store(answer -> answer.has("counted"));
        assertThat(store.at("/counted/problemCount").asInt()).isOne();
        assertThat(store.at("/counted/problems/0").asText()).contains("0000000000000003.snapshot");
        assertThat(api("/about").at("/wrong/0").asText()).contains("problems of the catalogue: 1;");
        Files.write(file, kept);
        agent.at(LATER.plusSeconds(60));
        store(answer -> answer.at("/counted/problemCount").asInt() == 0);
        assertThat(api("/clients/site1/vm", "/clients/{name}/{series}")
                        .at("/snapshots/0")
                        .has("problem"))
                .isFalse();
    }

    /** Opens what is kept again. */
    private void restart() throws IOException {
        count.close();
        agent = new ConsoleAgent(folder, RIGHTS);
        agent.at(LATER);
        count = new StoreCount(agent.repository(), agent.sources().clock());
        site = new AgentSite(new Visitors(Optional.empty()), agent.sources(), count);
    }

    @Test
    void namesThatNoneCanHaveAreRefusedAndLeadNowhere() throws IOException {
        for (String path : List.of(
                "/clients/../rights.yaml",
                "/clients/..",
                "/clients/",
                "/clients/site1/",
                "/clients/site1/../..",
                "/clients/site1/vm/1",
                "/clients/<b>",
                "/clients/" + "x".repeat(5000),
                "/store/1",
                "/jobs")) {
            Answer answer = ask("/api/v1" + path);
            assertThat(answer.status()).as(path).isIn(400, 404);
            assertThat(answer.body().length()).isLessThan(500);
        }
        for (String path :
                List.of("/rights.yaml", "/../rights.yaml", "/AgentSite.class", "/api/v1/", "/api/v2/about")) {
            assertThat(ask(path).status()).as(path).isEqualTo(404);
        }
    }

    private static SessionStatus session(String client, Optional<String> series) {
        return new SessionStatus(
                new SnapshotName(client),
                new SnapshotName("site1"),
                "192.0.2.7:4711",
                LATER,
                series.map(name -> SessionStatus.Task.BACKUP),
                series.map(SnapshotName::new),
                series.map(name -> LATER),
                new SessionStatus.Progress(7, 1000, 20));
    }

    @Test
    void sessionsSayWhoIsConnectedAndWhatFor() throws IOException {
        agent.sessions(session("site1", Optional.of("vm")), session("site1-admin", Optional.empty()));
        JsonNode page = api("/sessions");
        assertThat(texts(page.path("sessions"), "client")).containsExactly("site1", "site1-admin");
        assertThat(page.at("/sessions/0/task").asText()).isEqualTo("backup");
        assertThat(page.at("/sessions/0/series").asText()).isEqualTo("vm");
        assertThat(page.at("/sessions/1").has("task")).isFalse();
        assertThat(api("/clients", "/clients", "q", "site1")
                        .at("/clients/0/sessions")
                        .asInt())
                .isEqualTo(2);
        assertThat(api("/about").path("sessions").asInt()).isEqualTo(2);
    }

    /** It is counted by a thread of its own. */
    private JsonNode store(Predicate<JsonNode> wanted) throws Exception {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (true) {
            JsonNode store = api("/store");
            if (wanted.test(store)) {
                return store;
            }
            assertThat(System.nanoTime()).as(store.toString()).isLessThan(deadlineNs);
            TimeUnit.MILLISECONDS.sleep(10);
        }
    }

    @Test
    void theStoreIsCountedAndSaysWhatItLacks() throws Exception {
        JsonNode store = store(answer -> answer.has("counted"));
        assertThat(store.path("chunks").asLong())
                .isEqualTo(agent.repository().chunks().index().size());
        assertThat(store.at("/counted/containers").asInt()).isOne();
        assertThat(store.at("/counted/containerBytes").asLong()).isGreaterThan(500);
        assertThat(store.at("/counted/usableBytes").asLong()).isPositive();
        assertThat(store.at("/counted/problems")).isEmpty();
        assertThat(api("/about").path("wrong")).isEmpty();
        Path stranger = folder.resolve("repo/containers/00000/stranger");
        Files.writeString(stranger, "?");
        agent.at(LATER.plusSeconds(60));
        assertThat(store(answer -> answer.has("failure")).path("failure").asText())
                .contains("not a container's name: move it elsewhere");
        assertThat(texts(api("/about").path("wrong"), "")).hasSize(1);
        Files.delete(stranger);
        agent.at(LATER.plusSeconds(120));
        assertThat(store(answer -> !answer.has("failure")).at("/counted/at").asText())
                .isEqualTo(LATER.plusSeconds(120).toString());
    }

    @Test
    void careSaysWhatRanAndWhatItFound() throws IOException {
        assertThat(api("/care").path("care")).isEmpty();
        agent.care(
                new CareStanding(
                        new JobStatus(
                                "gc",
                                true,
                                Optional.empty(),
                                Optional.empty(),
                                Optional.empty(),
                                Optional.of(LATER),
                                Optional.empty()),
                        "@daily UTC",
                        Map.of("freed.bytes", 4000L),
                        Optional.empty()),
                new CareStanding(
                        new JobStatus(
                                "verify",
                                false,
                                Optional.empty(),
                                Optional.of(LATER),
                                Optional.of(false),
                                Optional.of(LATER),
                                Optional.empty()),
                        "@daily UTC",
                        Map.of(),
                        Optional.of(
                                new CareLedger.Turn(5, LATER, LATER, Map.of(3L, List.of("container 1 is damaged"))))));
        JsonNode care = api("/care").path("care");
        assertThat(texts(care, "name")).containsExactly("gc", "verify");
        assertThat(care.at("/0/figures/freed.bytes").asLong()).isEqualTo(4000);
        assertThat(care.at("/1/turn/damagedParts").asInt()).isOne();
        assertThat(care.at("/1/turn/problems/0").asText()).isEqualTo("container 1 is damaged");
        assertThat(api("/about").path("wrong").toString()).contains("care verify failed");
    }

    @Test
    void careHasTheLastCollectionAndVerificationWhoeverAskedForThem() throws IOException {
        assertThat(api("/care").has("collection")).isFalse();
        assertThat(api("/care").has("verification")).isFalse();
        try (TestSession other = agent.session("site2")) {
            other.delete(4);
            other.collect(true);
            assertThat(api("/care").has("collection"))
                    .as("a dry run frees nothing")
                    .isFalse();
            other.beginCollection(false);
            assertThat(api("/care").at("/collection/running").asBoolean()).isTrue();
        }
        JsonNode left = api("/care").path("collection");
        assertThat(left.path("running").asBoolean()).as("its client is gone").isFalse();
        assertThat(left.path("done").asBoolean()).isFalse();
        try (TestSession other = agent.session("site2")) {
            other.collect(false);
            assertThat(other.problems()).isEmpty();
        }
        JsonNode care = api("/care");
        assertThat(care.at("/collection/done").asBoolean()).isTrue();
        assertThat(care.at("/collection/at").asText()).isEqualTo(LATER.toString());
        assertThat(care.at("/verification/bytes").asLong()).isPositive();
        assertThat(care.at("/verification/problems").asInt()).isZero();
    }

    @Test
    void theStoreNamesThePlacesOfDamagedChunksAndSaysWhenItWillBeFull() throws Exception {
        store(answer -> answer.has("counted"));
        ChunkStore chunks = agent.repository().chunks();
        Fingerprint chunk = agent.aChunk();
        chunks.damaged(chunk, chunks.index().find(chunk).orElseThrow());
        JsonNode store = api("/store");
        assertThat(store.path("damagedChunks").asInt()).isOne();
        assertThat(store.at("/damagedPlaces/0/file").asText()).isEqualTo("containers/00000/00000001.container");
        assertThat(api("/about").at("/wrong/0").asText()).startsWith("damaged chunks: 1;");
        assertThat(store.has("room")).isFalse();
        agent.at(LATER.plus(Duration.ofDays(2)));
        count.sample();
        assertThat(api("/store").at("/room/since").asText()).isEqualTo(LATER.toString());
    }

    @Test
    void theAuditLogComesNewestFirstInPagesAndCanBeSearched() throws IOException {
        try (TestSession other = agent.session("site2")) {
            other.delete(4);
        }
        for (int i = 0; i < 5; i++) {
            agent.repository().audit().record("refused", Map.of("client", "site" + i, "request", "PUT"));
        }
        JsonNode all = api("/audit");
        assertThat(texts(all.path("lines"), "event"))
                .containsExactly("refused", "refused", "refused", "refused", "refused", "snapshot-delete", "log-begun");
        assertThat(all.at("/lines/0/details/client").asText()).isEqualTo("site4");
        assertThat(all.at("/lines/0/details").has("chain")).isFalse();
        assertThat(all.has("next")).isFalse();
        List<String> seen = new ArrayList<>();
        Optional<String> cursor = Optional.of("999999999");
        while (cursor.isPresent()) {
            JsonNode page = api("/audit", "/audit", "limit", "2", "cursor", cursor.get());
            assertThat(page.path("lines").size()).isPositive().isLessThanOrEqualTo(2);
            seen.addAll(texts(page.path("lines"), "offset"));
            cursor = Optional.ofNullable(page.get("next")).map(JsonNode::asText);
        }
        assertThat(seen).isEqualTo(texts(all.path("lines"), "offset"));
        assertThat(texts(api("/audit", "/audit", "q", "SITE2").path("lines"), "event"))
                .containsExactly("refused", "snapshot-delete");
        assertThat(ask("/api/v1/audit", "cursor", "x").status()).isEqualTo(400);
    }

    @Test
    void anAuditLogOfManyMegabytesIsReadInPartsAndItsOddLinesAreShownAsText() throws IOException {
        agent.close();
        Path log = folder.resolve("repo/audit.log");
        Files.writeString(log, "torn <b>line", StandardOpenOption.APPEND);
        agent = new ConsoleAgent(folder, RIGHTS);
        agent.repository().audit().record("long", Map.of("ids", "7,".repeat(1 << 20)));
        for (int i = 0; i < 9000; i++) {
            Files.writeString(
                    log,
                    "{\"time\":\"2026-03-02T12:00:00Z\",\"event\":\"e\",\"n\":" + i + "}\n",
                    StandardOpenOption.APPEND);
        }
        agent.close();
        restart();
        List<String> events = new ArrayList<>();
        List<String> texts = new ArrayList<>();
        Optional<String> cursor = Optional.of("999999999");
        int pages = 0;
        while (cursor.isPresent()) {
            JsonNode page = api("/audit", "/audit", "limit", "500", "cursor", cursor.get());
            page.path("lines").forEach(line -> {
                events.add(line.path("event").asText());
                if (line.has("text")) {
                    texts.add(line.path("text").asText());
                }
            });
            cursor = Optional.ofNullable(page.get("next")).map(JsonNode::asText);
            assertThat(++pages).isLessThan(100);
        }
        assertThat(events.stream().filter("e"::equals)).hasSize(9000);
        assertThat(events).endsWith("log-begun");
        assertThat(texts).anyMatch(text -> text.startsWith("torn <b>line")).allMatch(text -> text.length() <= 500);
    }

    @Test
    void aboutSaysWhatNeedsSomebody() throws IOException {
        JsonNode about = api("/about");
        assertThat(about.path("program").asText()).startsWith("backup-agent");
        assertThat(about.path("repository").asText())
                .isEqualTo(agent.repository().id().toString());
        assertThat(about.path("clients").asInt()).isEqualTo(3);
        assertThat(about.path("snapshots").asInt()).isEqualTo(4);
        assertThat(about.path("wrong")).isEmpty();
        agent.certificateEnds(LATER.plus(Duration.ofDays(29)));
        site = new AgentSite(new Visitors(Optional.empty()), agent.sources(), count);
        assertThat(api("/about").at("/wrong/0").asText()).contains("the agent's certificate ends at 2026-03-31");
    }

    @Test
    void itsOwnFilesAreThereWithHeadersThatShutThePageIn() throws IOException {
        for (String path :
                List.of("/", "/console.css", "/page.js", "/pages.js", "/console.js", "/client.js", "/icon.svg")) {
            Answer answer = ask(path);
            assertThat(answer.status()).as(path).isEqualTo(200);
            assertThat(answer.headers())
                    .containsEntry("x-content-type-options", "nosniff")
                    .containsEntry("x-frame-options", "DENY")
                    .hasEntrySatisfying("content-security-policy", policy -> assertThat(policy)
                            .contains("default-src 'none'", "frame-ancestors 'none'")
                            .doesNotContain("unsafe", "http"));
            assertThat(answer.body().text().replace("http://www.w3.org/2000/svg", "the name of a kind"))
                    .as(path)
                    .doesNotContain("http:", "https:", "style=", "onclick");
        }
    }

    @Test
    void whoNamesThisMachineOtherwiseIsRefusedAndSoIsWhatAnotherSitesPageAsks() {
        assertThat(site.answer(new PageRequest("/", Map.of(), Map.of("host", "evil.example"), Optional.empty()))
                        .status())
                .isEqualTo(421);
        assertThat(site.answer(new PageRequest(
                                "/api/v1/clients",
                                Map.of(),
                                Map.of("host", "localhost", "sec-fetch-site", "cross-site", "sec-fetch-mode", "cors"),
                                Optional.empty()))
                        .status())
                .isEqualTo(403);
        assertThat(site.takesPost()).isFalse();
    }

    @Test
    void theDocumentNamesEachPathThatIsAnsweredAndNoOther() throws IOException {
        assertThat(ask("/api/v1/openapi.json").body().text()).contains("\"Shredder backup-agent\"");
        TreeSet<String> paths = new TreeSet<>();
        DOCUMENT.json().path("paths").fieldNames().forEachRemaining(paths::add);
        assertThat(paths)
                .containsExactly(
                        "/about",
                        "/audit",
                        "/care",
                        "/clients",
                        "/clients/{name}",
                        "/clients/{name}/{series}",
                        "/openapi.json",
                        "/sessions",
                        "/store");
        for (String path : paths) {
            if (path.indexOf('{') < 0) {
                assertThat(ask("/api/v1" + path).status()).as(path).isEqualTo(200);
            }
        }
    }

    @Test
    void noAnswerIsLongerThanItsLimitHoweverManyThereAre() throws IOException {
        String name = "s".repeat(80);
        for (int i = 0; i < 700; i++) {
            agent.backUp("site2", name + i);
        }
        agent.sessions(IntStream.range(0, 600)
                .mapToObj(i -> session(name + i, Optional.of(name)))
                .toArray(SessionStatus[]::new));
        site = new AgentSite(new Visitors(Optional.empty()), agent.sources(), count);
        assertThat(api("/clients/site2", "/clients/{name}", "limit", "500")
                        .path("total")
                        .asInt())
                .isEqualTo(701);
        assertThat(api("/sessions", "/sessions", "limit", "500").path("total").asInt())
                .isEqualTo(600);
    }
}
