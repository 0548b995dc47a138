// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.console;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shredder.backup.monitoring.PageRequest;
import io.shredder.backup.monitoring.PageServer.Answer;
import io.shredder.backup.server.Sites;
import io.shredder.chunk.InTurn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What the console says of snapshots is what the commands say of them, by a real agent. */
@InTurn(days = 3)
class ConsoleSnapshotsIT {

    private static final Map<String, String> LOCAL = Map.of("host", "localhost:7425");
    private static final ObjectMapper JSON = new ObjectMapper();

    @TempDir
    private Path folder;

    private Sites sites;
    private ConsoleDaemon daemon;
    private ConsoleSite site;

    @BeforeEach
    void start() throws IOException {
        sites = new Sites(folder);
        Path rights = folder.resolve("rights.yaml");
        Files.writeString(
                rights,
                "clients:\n  site1: {rights: [append, restore, prune]}\n"
                        + "  site1-admin: {namespace: site1, rights: [restore, prune]}\n");
        sites.serveWith("--rights", rights.toString());
        sites.startAgent();
        Path certs = folder.resolve("certs");
        daemon = new ConsoleDaemon(
                folder,
                sites.agentSection(),
                "console: {listen: '127.0.0.1:0'}\n"
                        + "jobs:\n  nightly: {keep: {last: 2}, images: {vm: {file: vm.img}, none: {file: vm.img}}}\n"
                        + "  others: {images: {db: {file: vm.img}}}\n"
                        + "care:\n  old: {prune: {certificate: " + certs.resolve("client-site1-admin.crt") + ", key: "
                        + certs.resolve("client-site1-admin.key") + "}}\n");
        daemon.at(Instant.now());
        site = new ConsoleSite(daemon.config().console().orElseThrow(), daemon.sources());
    }

    @AfterEach
    void stop() throws IOException {
        daemon.close();
        sites.close();
    }

    private void backUp(String name, int times) throws IOException {
        for (int i = 0; i < times; i++) {
            Sites.random(folder.resolve("vm.img"), new Random(i), 1 << 20);
            sites.backUp(folder.resolve("vm.img"), name);
        }
    }

    private Answer ask(String path, Map<String, List<String>> query) {
        return site.answer(new PageRequest("/api/v1/images/" + path, query, LOCAL, Optional.empty()));
    }

    /** The answer once the agent's has come; that takes the console's thread no time. */
    private JsonNode awaitAnswer(String path, int status, Map<String, List<String>> query) throws Exception {
        String documented = "/images/{name}/" + path.substring(path.indexOf('/') + 1);
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (true) {
            Answer answer = ask(path, query);
            JsonNode json =
                    ApiSchema.checked(documented, answer.status(), answer.body().text());
            assertThat(answer.body().length()).isLessThan(200_000);
            if (answer.status() != 202) {
                assertThat(answer.status()).as(json.toString()).isEqualTo(status);
                return json;
            }
            assertThat(answer.headers()).containsEntry("retry-after", "1");
            assertThat(json.path("asked").asText()).contains("ask again in a second");
            assertThat(System.nanoTime()).isLessThan(deadlineNs);
            Thread.sleep(20);
        }
    }

    private JsonNode awaitAnswer(String path) throws Exception {
        return awaitAnswer(path, 200, Map.of());
    }

    private static List<Long> ids(JsonNode rows) {
        return StreamSupport.stream(rows.spliterator(), false)
                .map(row -> row.path("id").asLong())
                .toList();
    }

    @Test
    void snapshotsAreThoseThatTheCommandLists() throws Exception {
        backUp("vm", 3);
        backUp("db", 1);
        JsonNode page = awaitAnswer("vm/snapshots");
        List<Long> listed =
                ids(JSON.readTree(sites.here("list", "vm", "--json").out()).path("snapshots"));
        assertThat(ids(page.path("snapshots")).stream().sorted().toList()).isEqualTo(listed);
        assertThat(page.path("total").asInt()).isEqualTo(3);
        assertThat(page.at("/snapshots/0/proved").asBoolean()).isTrue();
        assertThat(page.at("/snapshots/0/imageBytes").asLong()).isEqualTo(1 << 20);
        assertThat(page.path("alarms")).isEmpty();
        List<Long> paged = new ArrayList<>();
        Optional<String> cursor = Optional.of("0");
        while (cursor.isPresent()) {
            JsonNode part =
                    awaitAnswer("vm/snapshots", 200, Map.of("limit", List.of("2"), "cursor", List.of(cursor.get())));
            paged.addAll(ids(part.path("snapshots")));
            cursor = Optional.ofNullable(part.get("next")).map(JsonNode::asText);
        }
        assertThat(paged).isEqualTo(ids(page.path("snapshots")));
        assertThat(ask("vm/snapshots", Map.of("limit", List.of("501"))).status())
                .isEqualTo(400);
        assertThat(awaitAnswer("none/snapshots").path("total").asInt()).isZero();
        for (String nothing : List.of("unknown/snapshots", "vm/secrets", "vm/", "/snapshots", "vm/snapshots/1")) {
            assertThat(ask(nothing, Map.of()).status()).as(nothing).isEqualTo(404);
        }
    }

    @Test
    void whatAPruneWouldDeleteIsWhatItsDryRunSays() throws Exception {
        backUp("vm", 4);
        backUp("db", 1);
        JsonNode page = awaitAnswer("vm/prune");
        assertThat(page.path("keep").asText()).isEqualTo("last 2 (Z)");
        assertThat(page.path("care").asText()).isEqualTo("old");
        assertThat(page.path("kept").asInt() + " " + page.path("deleted").asInt())
                .isEqualTo("2 2");
        assertThat(page.at("/snapshots/0/keptBy/0").asText()).isEqualTo("last");
        assertThat(page.path("held")).isEmpty();
        Sites.Result tried = sites.configured(
                "run",
                "old",
                "--dry-run",
                "--config",
                folder.resolve("server.yaml").toString());
        assertThat(tried.exitCode()).as(tried.err()).isZero();
        for (JsonNode row : page.path("snapshots")) {
            String verb = row.path("keptBy").isEmpty() ? "would delete" : "keeps";
            assertThat(tried.out()).contains(verb + " vm@" + row.path("id").asLong() + " of ");
        }
        assertThat(awaitAnswer("db/prune").path("noRules").asText()).contains("job others does not say what to 'keep'");
        assertThat(awaitAnswer("none/prune").path("noRules").asText()).contains("no snapshot of none");
    }

    @Test
    void whatSpeaksAgainstPruningIsSaid() throws Exception {
        backUp("vm", 3);
        daemon.doubts("image-failed of nightly/vm since yesterday");
        daemon.at(Instant.now().minusSeconds(86_400));
        JsonNode page = awaitAnswer("vm/prune");
        assertThat(page.path("deleted").asInt()).isEqualTo(1);
        assertThat(page.at("/held/0").asText()).isEqualTo("image-failed of nightly/vm since yesterday");
        assertThat(page.at("/held/1").asText()).contains("which is to come: set the clock");
    }

    @Test
    void anAgentThatShowsLessThanThisSiteHasSeenIsAnAlarm() throws Exception {
        backUp("vm", 1);
        Sites.Result made = sites.configured(
                "run", "nightly", "--config", folder.resolve("server.yaml").toString());
        assertThat(made.exitCode()).as(made.err()).isZero();
        List<Long> listed =
                ids(JSON.readTree(sites.here("list", "vm", "--json").out()).path("snapshots"));
        assertThat(listed).hasSize(2);
        assertThat(sites.here("prune", "--id", String.valueOf(listed.get(1))).exitCode())
                .isZero();
        JsonNode page = awaitAnswer("vm/snapshots");
        assertThat(ids(page.path("snapshots"))).containsExactly(listed.get(0));
        assertThat(page.path("alarms").toString()).contains("'shredder-backup accept vm'");
    }

    @Test
    void snapshotsAreThereWhereNobodyKnowsWhatSpeaksAgainstPruning() throws Exception {
        backUp("vm", 1);
        daemon.doubts(ConsoleDaemon.UNKNOWN);
        assertThat(awaitAnswer("vm/snapshots").path("total").asInt()).isOne();
        assertThat(awaitAnswer("vm/prune").path("noRules").asText()).contains("alerts.json is damaged");
    }

    @Test
    void anAgentThatIsAwayIsSaidAndAskedAgainLater() throws Exception {
        backUp("vm", 1);
        sites.stopAgent();
        assertThat(awaitAnswer("vm/snapshots", 502, Map.of()).path("error").asText())
                .startsWith("the agent does not say what it has of 'vm': ")
                .contains("127.0.0.1");
        sites.stayAtPort();
        sites.startAgent();
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (ask("vm/snapshots", Map.of()).status() != 200) {
            assertThat(System.nanoTime()).isLessThan(deadlineNs);
            Thread.sleep(50);
        }
    }

    @Test
    void snapshotsThatTheKeyDoesNotProveStandApart() throws Exception {
        backUp("vm", 2);
        Files.copy(folder.resolve("site.key"), folder.resolve("first.key"));
        Files.copy(folder.resolve("site.secret"), folder.resolve("first.secret"));
        Files.delete(folder.resolve("site.key"));
        Files.delete(folder.resolve("site.secret"));
        sites.makeKey("site");
        JsonNode page = awaitAnswer("vm/snapshots");
        assertThat(page.at("/snapshots/0/proved").asBoolean()).isFalse();
        assertThat(page.at("/snapshots/0/reason").asText()).contains("it is sealed with key");
        assertThat(page.at("/snapshots/0").has("taken")).isFalse();
        assertThat(awaitAnswer("vm/prune").path("noRules").asText()).contains("no snapshot of vm that the key proves");
    }
}
