// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shredder.chunk.InTurn;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An agent's store over six keepers, of which any four give it back: what its clients are told of them. */
class KeepersIT {

    private static final Pattern PORT = Pattern.compile("monitoring on \\S+:([0-9]+)");
    private static final HttpClient HTTP = HttpClient.newHttpClient();
    private static final String ALL_WHOLE = "all 6 are whole: the store survives 2 more, backups survive 1 more";

    @TempDir
    private Path folder;

    private Sites sites;
    private Path image;

    @BeforeEach
    void start() throws IOException {
        List<String> keepers = new ArrayList<>();
        for (int i = 0; i < 6; i++) {
            keepers.add(Files.createDirectory(keeper(i)).toString());
        }
        Path file = Files.writeString(folder.resolve("keepers.yaml"), "data: 4\nparity: 2\nkeepers: " + keepers + "\n");
        Path rights = Files.writeString(
                folder.resolve("rights.yaml"),
                "clients:\n  site1: {rights: [append, restore]}\n"
                        + "  site1-admin: {namespace: site1, rights: [restore, prune]}\n");
        sites = new Sites(folder);
        sites.serveWith("--store", "disperse:" + file, "--rights", rights.toString());
        sites.startAgent();
        image = folder.resolve("image");
        Sites.random(image, new Random(1), 3 << 20);
        assertThat(sites.here("backup", image.toString(), "--name", "vm").exitCode())
                .isZero();
    }

    @AfterEach
    void stop() throws IOException {
        sites.close();
    }

    private Path keeper(int place) {
        return folder.resolve("keeper" + place);
    }

    private void takeAway(int place) throws IOException {
        Files.move(keeper(place), folder.resolve("away" + place));
    }

    private static JsonNode json(Sites.Result result) throws IOException {
        return new ObjectMapper().readTree(result.out());
    }

    @Test
    void aStoreThatIsWholeIsSaidToBeAndNobodyIsWarned() throws IOException {
        assertThat(sites.here("stats").out())
                .contains("keepers:    4 + 2, epoch 1; the store survives 2 more, backups survive 1 more")
                .contains("keeper 5:   whole\n")
                .doesNotContain(folder.toString());
        assertThat(sites.as("site1-admin", "stats").out()).contains("keeper 5:   whole, " + keeper(5) + "\n");
        assertThat(sites.here("list").err()).isEmpty();
        Sites.Result verified = sites.here("verify");
        assertThat(verified.exitCode()).isZero();
        assertThat(verified.err()).isEmpty();
        assertThat(verified.out()).contains("all good\nkeepers: " + ALL_WHOLE);
        List<String> proving = new ArrayList<>(List.of("verify", "vm"));
        proving.addAll(sites.keyOptions("site"));
        assertThat(sites.here(proving.toArray(String[]::new)).out()).contains("keepers: " + ALL_WHOLE);
    }

    @Test
    void oneThatIsAwayIsNamedByEachCommandAndItsFolderOnlyToWhoLooksAfterTheStore() throws IOException {
        takeAway(3);
        String survives = " is away: the store survives 1 more, backups survive 0 more\n";
        assertThat(sites.here("list").err()).isEqualTo("shredder-backup: keeper 3" + survives);
        assertThat(sites.here("list").exitCode()).isZero();
        assertThat(sites.as("site1-admin", "list").err())
                .isEqualTo("shredder-backup: keeper 3 (" + keeper(3) + ")" + survives);
        Sites.Result verified = sites.here("verify", "vm");
        assertThat(verified.exitCode()).isZero();
        assertThat(verified.out()).contains("keepers: keeper 3" + survives);
        JsonNode told = json(sites.here("verify", "--json")).get("store");
        assertThat(told.get("writable").asBoolean()).isTrue();
        assertThat(told.get("spareToRead").asInt()).isEqualTo(1);
        assertThat(told.at("/keepers/3/state").asText()).isEqualTo("away");
        assertThat(json(sites.here("list", "--json")).get("store")).isEqualTo(told);
        JsonNode stats = json(sites.here("stats", "--json"));
        assertThat(stats.get("store")).isEqualTo(told);
        assertThat(stats.toString()).doesNotContain(folder.toString());
        JsonNode shown = json(sites.as("site1-admin", "stats", "--json")).get("store");
        assertThat(shown.at("/keepers/3/home").asText()).isEqualTo(keeper(3).toString());
        assertThat(shown.at("/keepers/3/why").asText()).isEqualTo(keeper(3) + " isn't there any more");
    }

    @Test
    void aStoreThatCantBeReadAnyMoreEndsAVerificationWithExitCodeOne() throws IOException {
        takeAway(0);
        takeAway(1);
        Sites.Result fewer = sites.here("list");
        assertThat(fewer.err())
                .contains("keeper 0 is away, keeper 1 is away: the store survives 0 more, backups can't go on:"
                        + " 5 keepers must take changes");
        assertThat(sites.here("verify").exitCode()).isZero();
        takeAway(2);
        Sites.Result none = sites.here("verify");
        assertThat(none.exitCode()).isEqualTo(1);
        assertThat(none.err())
                .contains("keeper 0 is away, keeper 1 is away, keeper 2 is away: not all of the store can be read\n")
                .contains("4 keepers are needed and only 3 can be read now");
    }

    @InTurn(days = 3)
    @Test
    void theDaemonsFiguresHaveWhatTheAgentSaidAlsoIfTheBackupFailed() throws Exception {
        Files.createDirectories(folder.resolve("daemon"));
        Files.writeString(
                folder.resolve("daemon/history.json"),
                "{\"version\":1,\"seed\":1,\"handled\":{\"missed\":\"2026-01-01T00:00:00Z\"}}");
        Path config = Files.writeString(
                folder.resolve("server.yaml"),
                "version: 1\nstate: " + folder.resolve("daemon") + "\nmonitoring: 127.0.0.1:0\n" + sites.agentSection()
                        + "jobs:\n"
                        + "  missed: {schedule: '@monthly', retry: {times: 0}, images: {other: {file: image}}}\n");
        takeAway(4);
        takeAway(5);
        Path log = folder.resolve("daemon.log");
        Process daemon = sites.startDaemon(config, log);
        try {
            String figures = await(daemon, log, "shredder_backup_job_runs_total{job=\"missed\",result=\"failed\"} 1");
            assertThat(figures)
                    .contains("shredder_backup_keeper_state{keeper=\"4\",state=\"away\"} 1.0")
                    .contains("shredder_backup_keeper_state{keeper=\"3\",state=\"whole\"} 1.0")
                    .contains("shredder_backup_store_writable 0.0")
                    .contains("shredder_backup_store_readable 1.0")
                    .contains("shredder_backup_store_spare_to_read 0.0");
        } finally {
            daemon.destroy();
            assertThat(daemon.waitFor(60, TimeUnit.SECONDS)).isTrue();
        }
    }

    /** All figures, once there is this one. */
    private static String await(Process daemon, Path log, String figure) throws Exception {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
        while (System.nanoTime() < deadlineNs && !Sites.awaitExit(daemon, 50)) {
            Matcher port = PORT.matcher(Files.readString(log));
            if (port.find()) {
                URI metrics = URI.create("http://127.0.0.1:" + port.group(1) + "/metrics");
                String text = HTTP.send(HttpRequest.newBuilder(metrics).build(), HttpResponse.BodyHandlers.ofString())
                        .body();
                if (text.contains(figure)) {
                    return text;
                }
            }
        }
        throw new AssertionError(Files.readString(log));
    }
}
