// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.shredder.backup.console.PersonTls;
import io.shredder.backup.server.console.ApiSchema;
import io.shredder.backup.wire.TlsFiles;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The console of a real daemon: what it says while a backup runs, after kill -9, and to whom. */
class ConsoleIT {

    private static final Pattern ADDRESS = Pattern.compile("console at (https?://[^ ]+/)");
    private static final int MIB = 1 << 20;

    @TempDir
    private Path folder;

    private Sites sites;
    private Path config;
    private Path log;

    @BeforeEach
    void start() throws IOException {
        sites = new Sites(folder);
        sites.startAgent();
        config = folder.resolve("server.yaml");
        log = folder.resolve("daemon.log");
        for (int mebibytes : new int[] {8, 96}) {
            byte[] data = new byte[mebibytes * MIB];
            new Random(mebibytes).nextBytes(data);
            Files.write(folder.resolve(mebibytes + ".img"), data);
        }
        Files.createDirectories(folder.resolve("state"));
        due("quick", "slow");
    }

    @AfterEach
    void stop() throws IOException {
        sites.close();
    }

    /** Jobs that the next daemon runs at once. */
    private void due(String... jobs) throws IOException {
        Files.writeString(
                folder.resolve("state/history.json"),
                "{\"version\":1,\"seed\":1,\"handled\":{\"" + String.join("\":\"2026-01-01T00:00:00Z\",\"", jobs)
                        + "\":\"2026-01-01T00:00:00Z\"}}");
    }

    private void write(String console, String jobs) throws IOException {
        Files.writeString(
                config,
                "version: 1\nstate: state\nconcurrency: 2\nmonitoring: 127.0.0.1:0\n" + console + sites.agentSection()
                        + jobs);
    }

    private URI awaitConsole(Process daemon) throws IOException {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
        while (true) {
            Matcher address = ADDRESS.matcher(Files.readString(log));
            if (address.find()) {
                return URI.create(address.group(1));
            }
            assertThat(System.nanoTime()).as(Files.readString(log)).isLessThan(deadlineNs);
            assertThat(Sites.awaitExit(daemon, 50)).as(Files.readString(log)).isFalse();
        }
    }

    private static HttpResponse<String> get(HttpClient client, URI console, String path) throws Exception {
        return client.send(HttpRequest.newBuilder(console.resolve(path)).build(), HttpResponse.BodyHandlers.ofString());
    }

    private static JsonNode api(URI console, String path, String documented) throws Exception {
        HttpResponse<String> response = get(HttpClient.newHttpClient(), console, "/api/v1" + path);
        return ApiSchema.checked(documented, response.statusCode(), response.body());
    }

    private interface Seen {
        boolean in(JsonNode answer);
    }

    private JsonNode await(URI console, String path, String documented, Seen seen) throws Exception {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
        while (true) {
            JsonNode answer = api(console, path, documented);
            if (seen.in(answer)) {
                return answer;
            }
            assertThat(System.nanoTime()).as(() -> answer + "\n" + read(log)).isLessThan(deadlineNs);
            Thread.sleep(50);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            return e.toString();
        }
    }

    @Test
    void itShowsABackupThatRunsAndAfterKillNineWhatWasDone() throws Exception {
        write(
                "console: {listen: '127.0.0.1:0'}\n",
                "jobs:\n  quick: {schedule: '@monthly', images: {vm1: {file: 8.img}, gone: {file: absent}}, retry: {times: 0}}\n"
                        + "  slow: {schedule: '@monthly', bandwidth: 1m, images: {vm2: {file: 96.img}}}\n");
        Process daemon = sites.startDaemon(config, log);
        URI console = awaitConsole(daemon);
        await(console, "/jobs/quick", "/jobs/{name}", job -> job.at("/last/result")
                .asText()
                .equals("failed"));
        JsonNode slow = await(
                console,
                "/jobs/slow",
                "/jobs/{name}",
                job -> job.at("/progress/underWay/0/readBytes").asLong() > 0);
        assertThat(slow.at("/progress/underWay/0/image").asText()).isEqualTo("vm2");
        assertThat(slow.at("/progress/underWay/0/imageBytes").asLong()).isEqualTo(96 * MIB);
        assertThat(slow.at("/progress/underWay/0/remainingSeconds").asLong()).isPositive();
        String before = api(console, "/images?q=quick", "/images").toString();
        assertThat(before).contains("\"failed\":1,\"never\":0,\"late\":0,\"ok\":1");
        daemon.destroyForcibly();
        assertThat(Sites.awaitExit(daemon, 60_000)).isTrue();

        due("none");
        daemon = sites.startDaemon(config, log);
        try {
            console = awaitConsole(daemon);
            JsonNode runs = api(console, "/runs", "/runs").path("runs");
            assertThat(runs.findValuesAsText("result")).containsExactly("interrupted", "failed", "started", "started");
            assertThat(api(console, "/jobs/slow", "/jobs/{name}")
                            .at("/last/result")
                            .asText())
                    .isEqualTo("interrupted");
            assertThat(withoutTimes(api(console, "/images?q=quick", "/images").toString()))
                    .isEqualTo(withoutTimes(before));
            JsonNode image = api(console, "/images/vm1", "/images/{name}");
            assertThat(image.at("/days/succeeded").toString()).isEqualTo("[1]");
            assertThat(image.at("/days/imageBytes/0").asLong()).isEqualTo(8 * MIB);
            assertThat(api(console, "/images/gone", "/images/{name}")
                            .at("/lastFailure/error")
                            .asText())
                    .contains("absent doesn't exist");
            assertThat(api(console, "/events", "/events").path("events").findValuesAsText("kind"))
                    .contains("image-failed");
            assertThat(api(console, "/about", "/about").path("historyDamage")).isEmpty();
            assertThat(get(HttpClient.newHttpClient(), console, "/").body()).contains("<title>Shredder backup</title>");
        } finally {
            daemon.destroy();
            assertThat(Sites.awaitExit(daemon, 60_000)).isTrue();
        }
    }

    /** When a job that isn't due any more runs next is another time. */
    private static String withoutTimes(String json) {
        return json.replaceAll("\"nextStart\":\"[^\"]*\",", "");
    }

    @Test
    void elsewhereOnlyNamedPeopleWithACertificateLook() throws Exception {
        Path certs = folder.resolve("certs");
        String tls = ", certificate: " + certs.resolve("agent.crt") + ", key: " + certs.resolve("agent.key")
                + ", authority: " + certs.resolve("ca.crt") + ", people: [site1-admin]}\n";
        write("console: {listen: '0.0.0.0:0'" + tls, "jobs: {quick: {images: {vm1: {file: 8.img}}}}\n");
        Process daemon = sites.startDaemon(config, log);
        try {
            URI listens = awaitConsole(daemon);
            assertThat(listens.getScheme()).isEqualTo("https");
            URI console = localhost(listens);
            HttpClient admin = person("site1-admin");
            assertThat(ApiSchema.checked(
                                    "/about",
                                    200,
                                    get(admin, console, "/api/v1/about").body())
                            .path("site")
                            .asText())
                    .isEqualTo("site1");
            HttpClient other = person("site1");
            HttpResponse<String> refused = get(other, console, "/api/v1/about");
            assertThat(refused.statusCode()).isEqualTo(403);
            assertThat(refused.body()).contains("'site1' is not among 'console.people'");
            assertThat(get(other, console, "/").statusCode()).isEqualTo(403);
            HttpClient nobody = HttpClient.newBuilder()
                    .sslContext(PersonTls.ofNobody(certs.resolve("ca.crt")))
                    .build();
            assertThatThrownBy(() -> get(nobody, console, "/")).isInstanceOf(IOException.class);
            assertThatThrownBy(() -> get(admin, URI.create("http://localhost:" + listens.getPort() + "/"), "/"))
                    .isInstanceOf(IOException.class);
            assertThat(read(log)).contains("the console refuses site1, whose certificate is good");
        } finally {
            daemon.destroy();
            assertThat(Sites.awaitExit(daemon, 60_000)).isTrue();
        }
    }

    @Test
    void aPersonWithTheRightHasAJobRunAndPauseThatOutlivesTheDaemon() throws Exception {
        Path certs = folder.resolve("certs");
        due("none");
        write(
                "console: {listen: '127.0.0.1:0', certificate: " + certs.resolve("agent.crt") + ", key: "
                        + certs.resolve("agent.key") + ", authority: " + certs.resolve("ca.crt")
                        + ", people: [site1-admin, site1], actions: {site1-admin: [run, stop, pause]}}\n",
                "jobs:\n  quick: {schedule: '@monthly', images: {vm1: {file: 8.img}}}\n"
                        + "  slow: {bandwidth: 1m, images: {vm2: {file: 96.img}}, retry: {times: 0}}\n");
        HttpClient admin = person("site1-admin");
        Process daemon = sites.startDaemon(config, log);
        try {
            URI console = localhost(awaitConsole(daemon));
            assertThat(post(person("site1"), console, "quick/run", "{}").statusCode())
                    .isEqualTo(403);
            assertThat(post(admin, console, "quick/run", "{}").statusCode()).isEqualTo(202);
            awaitLast(admin, console, "quick", "ok");
            assertThat(post(admin, console, "slow/run", "{}").statusCode()).isEqualTo(202);
            assertThat(post(admin, console, "slow/run", "{}").statusCode()).isEqualTo(409);
            assertThat(post(admin, console, "slow/stop", "{}").statusCode()).isEqualTo(202);
            awaitLast(admin, console, "slow", "failed");
            assertThat(post(admin, console, "slow/stop", "{}").statusCode()).isEqualTo(409);
            assertThat(post(admin, console, "quick/pause", "{\"hours\": 24}").statusCode())
                    .isEqualTo(202);
            assertThat(read(log)).contains("site1-admin has the console run job quick");
        } finally {
            daemon.destroyForcibly();
            assertThat(Sites.awaitExit(daemon, 60_000)).isTrue();
        }
        Path state = folder.resolve("state/history.json");
        Files.writeString(
                state,
                Files.readString(state)
                        .replaceFirst("(\"handled\" : \\{[^}]*\"quick\" : )\"[^\"]*\"", "$1\"2026-01-01T00:00:00Z\""));
        daemon = sites.startDaemon(config, log);
        try {
            URI console = localhost(awaitConsole(daemon));
            JsonNode paused = awaitLast(admin, console, "quick", "missed");
            assertThat(Instant.parse(paused.path("pausedUntil").asText()))
                    .isBetween(
                            Instant.now().plusSeconds(23 * 3600), Instant.now().plusSeconds(24 * 3600));
            assertThat(post(admin, console, "quick/resume", "{}").statusCode()).isEqualTo(202);
            assertThat(awaitLast(admin, console, "quick", "missed").has("pausedUntil"))
                    .isFalse();
            JsonNode runs = ApiSchema.checked(
                            "/runs", 200, get(admin, console, "/api/v1/runs").body())
                    .path("runs");
            assertThat(runs.findValuesAsText("person")).hasSize(7).containsOnly("site1-admin");
        } finally {
            daemon.destroy();
            assertThat(Sites.awaitExit(daemon, 60_000)).isTrue();
        }
    }

    @Test
    void aRestoreOutlivesNewConfigurationsAndTheDaemonsEndLeavesNothingOfIt() throws Exception {
        Path certs = folder.resolve("certs");
        Path to = Files.createDirectory(
                folder.toRealPath().resolve("restored"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        due("none");
        String console = "console: {listen: '127.0.0.1:0', certificate: " + certs.resolve("agent.crt") + ", key: "
                + certs.resolve("agent.key") + ", authority: " + certs.resolve("ca.crt")
                + ", people: [site1-admin], actions: {site1-admin: [restore]}, restore-to: " + to + "}\n";
        String jobs = "jobs: {quick: {images: {vm1: {file: 8.img}}}}\n";
        sites.backUp(folder.resolve("8.img"), "vm1");
        write(console + "bandwidth: 500k\n", jobs);
        HttpClient admin = person("site1-admin");
        for (boolean killed : new boolean[] {false, true}) {
            Process daemon = sites.startDaemon(config, log);
            URI at = localhost(awaitConsole(daemon));
            assertThat(postTo(admin, at, "images/vm1/restore", "{\"snapshot\": 1, \"to\": \"vm1.img\"}")
                            .statusCode())
                    .isEqualTo(202);
            awaitRestore(admin, at, restore -> restore.path("imageBytes").asLong() > 0);
            write(console, jobs.replace("quick", "renamed"));
            assertThat(new ProcessBuilder("kill", "-HUP", String.valueOf(daemon.pid()))
                            .start()
                            .waitFor())
                    .isZero();
            awaitText("read " + config + " again");
            assertThat(awaitRestore(admin, at, restore -> true).path("state").asText())
                    .isEqualTo("running");
            if (killed) {
                daemon.destroyForcibly();
            } else {
                daemon.destroy();
            }
            assertThat(Sites.awaitExit(daemon, 60_000)).isTrue();
            assertThat(to.toFile().list()).hasSize(killed ? 1 : 0);
            write(console + "bandwidth: 500k\n", jobs);
            Files.delete(log);
        }
        write(console, jobs);
        Process daemon = sites.startDaemon(config, log);
        try {
            URI at = localhost(awaitConsole(daemon));
            assertThat(postTo(admin, at, "images/vm1/restore", "{\"snapshot\": 1, \"to\": \"vm1.img\"}")
                            .statusCode())
                    .isEqualTo(202);
            awaitRestore(admin, at, restore -> restore.path("state").asText().equals("done"));
            assertThat(to.resolve("vm1.img")).hasSameBinaryContentAs(folder.resolve("8.img"));
            assertThat(to.toFile().list()).containsExactly("vm1.img");
            JsonNode runs = ApiSchema.checked(
                            "/runs", 200, get(admin, at, "/api/v1/runs").body())
                    .path("runs");
            assertThat(runs.findValuesAsText("action")).hasSize(3).containsOnly("restore 1 to vm1.img");
            assertThat(runs.findValuesAsText("error")).contains("it was stopped");
        } finally {
            daemon.destroy();
            assertThat(Sites.awaitExit(daemon, 60_000)).isTrue();
        }
    }

    private void awaitText(String text) throws Exception {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
        while (!read(log).contains(text)) {
            assertThat(System.nanoTime()).as(read(log)).isLessThan(deadlineNs);
            Thread.sleep(50);
        }
    }

    private JsonNode awaitRestore(HttpClient client, URI console, Seen seen) throws Exception {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
        while (true) {
            JsonNode newest = ApiSchema.checked(
                            "/restores",
                            200,
                            get(client, console, "/api/v1/restores").body())
                    .at("/restores/0");
            if (seen.in(newest)) {
                return newest;
            }
            assertThat(System.nanoTime()).as(() -> newest + "\n" + read(log)).isLessThan(deadlineNs);
            Thread.sleep(50);
        }
    }

    private JsonNode awaitLast(HttpClient client, URI console, String job, String result) throws Exception {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
        while (true) {
            JsonNode answer = ApiSchema.checked(
                    "/jobs/{name}",
                    200,
                    get(client, console, "/api/v1/jobs/" + job).body());
            if (answer.at("/last/result").asText().equals(result)
                    && !answer.path("running").asBoolean()) {
                return answer;
            }
            assertThat(System.nanoTime()).as(() -> answer + "\n" + read(log)).isLessThan(deadlineNs);
            Thread.sleep(50);
        }
    }

    /** The name in the certificate. */
    private static URI localhost(URI listens) {
        return URI.create("https://localhost:" + listens.getPort() + "/");
    }

    private HttpClient person(String name) throws Exception {
        Path certs = folder.resolve("certs");
        TlsFiles files = new TlsFiles(
                certs.resolve("client-" + name + ".crt"),
                certs.resolve("client-" + name + ".key"),
                certs.resolve("ca.crt"));
        return HttpClient.newBuilder().sslContext(PersonTls.of(files)).build();
    }

    private static HttpResponse<String> post(HttpClient client, URI console, String what, String body)
            throws Exception {
        return postTo(client, console, "jobs/" + what, body);
    }

    private static HttpResponse<String> postTo(HttpClient client, URI console, String path, String body)
            throws Exception {
        return client.send(
                HttpRequest.newBuilder(console.resolve("/api/v1/" + path))
                        .header("content-type", "application/json")
                        .header("x-shredder-action", "1")
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }
}
