// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import io.shredder.backup.TestCertificates;
import io.shredder.backup.agent.console.AgentConsole;
import io.shredder.backup.console.ApiDocument;
import io.shredder.backup.console.PersonTls;
import io.shredder.backup.wire.TlsFiles;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The console of a real agent: what it says of real backups and prunes, and to whom. */
class AgentConsoleIT {

    private static final Pattern ADDRESS = Pattern.compile("console at (https?://[^ \n]+/)");
    private static final ApiDocument DOCUMENT = new ApiDocument(AgentConsole.class);
    private static final int MIB = 1 << 20;
    private static final String LONG_AGO = "{\"version\":1,\"seed\":1,\"handled\":{\"gc\":\"2026-01-01T00:00:00Z\","
            + "\"verify\":\"2026-01-01T00:00:00Z\"}}";

    @TempDir
    private Path folder;

    private Sites sites;

    @BeforeEach
    void start() throws IOException {
        sites = new Sites(folder);
    }

    @AfterEach
    void stop() throws IOException {
        sites.close();
    }

    /** Of the agent that was started last. */
    private URI console() throws IOException {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (true) {
            String log = Files.readString(sites.agentLog());
            Matcher address = ADDRESS.matcher(log);
            if (address.find()) {
                return URI.create(address.group(1));
            }
            assertThat(System.nanoTime()).as(log).isLessThan(deadlineNs);
        }
    }

    private static HttpResponse<String> get(HttpClient client, URI console, String path) throws Exception {
        return client.send(HttpRequest.newBuilder(console.resolve(path)).build(), HttpResponse.BodyHandlers.ofString());
    }

    private JsonNode api(String path, String documented) throws Exception {
        HttpResponse<String> response = get(HttpClient.newHttpClient(), console(), "/api/v1" + path);
        return DOCUMENT.checked(documented, response.statusCode(), response.body());
    }

    private JsonNode await(String path, Predicate<JsonNode> seen) throws Exception {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
        while (true) {
            JsonNode answer = api(path, path);
            if (seen.test(answer)) {
                return answer;
            }
            String log = Files.readString(sites.agentLog());
            assertThat(System.nanoTime()).as(answer + "\n" + log).isLessThan(deadlineNs);
            TimeUnit.MILLISECONDS.sleep(20);
        }
    }

    private Path image(int mebibytes) throws IOException {
        Path image = folder.resolve(mebibytes + ".img");
        Sites.random(image, new Random(mebibytes), mebibytes * MIB);
        return image;
    }

    @Test
    void itShowsABackupThatRunsThenItsSnapshotAndWhatCareDid() throws Exception {
        Path care = Files.writeString(
                folder.resolve("care.yaml"),
                "version: 1\ngc: {schedule: '@monthly'}\nverify: {schedule: '@monthly', all-in: 30d}\n");
        Path rights = Files.writeString(
                folder.resolve("rights.yaml"),
                "clients: {site1: {rights: [append, restore], quota: 1g}, site1-admin: {namespace: site1, rights: [prune]}}\n");
        sites.startAgent(); // It makes the repository.
        sites.stopAgent();
        Files.createDirectories(sites.repository().resolve("care"));
        Files.writeString(sites.repository().resolve("care/history.json"), LONG_AGO);
        sites.serveWith("--console", "127.0.0.1:0", "--care", care.toString(), "--rights", rights.toString());
        sites.startAgent();
        Path go = folder.resolve("go");
        Process backup = sites.startServer(
                "backup",
                "-",
                "--name",
                "vm",
                "--stdin-command",
                "cat " + image(24) + "; until [ -e " + go + " ]; do sleep 0.1; done");
        JsonNode session = await(
                        "/sessions",
                        answer -> answer.at("/sessions/0/receivedBytes").asLong() > 2 * MIB)
                .at("/sessions/0");
        assertThat(session.path("client").asText()).isEqualTo("site1");
        assertThat(session.path("task").asText()).isEqualTo("backup");
        assertThat(session.path("from").asText()).startsWith("127.0.0.1:");
        Files.createFile(go);
        assertThat(Sites.awaitExit(backup, 120_000)).isTrue();
        assertThat(backup.exitValue())
                .as(Files.readString(folder.resolve("server.log")))
                .isZero();
        await("/sessions", answer -> answer.path("total").asInt() == 0);
        JsonNode vm = await(
                        "/clients", answer -> answer.at("/clients/0/snapshots").asInt() == 1)
                .at("/clients/0");
        assertThat(vm.path("imageBytes").asLong()).isEqualTo(24 * MIB);
        assertThat(vm.path("quotaBytes").asLong()).isEqualTo(1 << 30);
        assertThat(api("/clients/site1/vm", "/clients/{name}/{series}").path("snapshots"))
                .hasSize(1);
        assertThat(sites.as("site1-admin", "prune", "--id", "1").exitCode()).isZero();
        assertThat(api("/audit", "/audit").at("/lines/0/event").asText()).isEqualTo("snapshot-delete");
        JsonNode cared = await(
                        "/care",
                        answer -> answer.at("/care/0/lastOk").asBoolean()
                                && answer.at("/care/1/lastOk").asBoolean())
                .path("care");
        assertThat(cared.findValuesAsText("name")).containsExactly("gc", "verify");
        assertThat(api("/care", "/care").at("/collection/done").asBoolean()).isTrue();
        assertThat(sites.here("verify").exitCode()).isZero();
        assertThat(api("/care", "/care").at("/verification/at").asText())
                .isGreaterThan(cared.at("/1/lastEnd").asText());
        assertThat(cared.at("/1/turn").has("passBegan")).isTrue();
        JsonNode store = await("/store", answer -> answer.has("counted"));
        assertThat(store.at("/counted/usableBytes").asLong()).isPositive();
        assertThat(store.toString() + api("/about", "/about")).doesNotContain(folder.toString());
        assertThat(get(HttpClient.newHttpClient(), console(), "/").body()).contains("Shredder backup agent");
        assertThat(sites.stopAgent()).isZero();
    }

    @Test
    void hostileRequestsAreRefusedAndNothingCanBeDone() throws Exception {
        sites.serveWith("--console", "127.0.0.1:0");
        sites.startAgent();
        URI console = console();
        for (String request : new String[] {
            "POST /api/v1/clients HTTP/1.1\r\nHost: localhost\r\ncontent-length: 2\r\n\r\n{}",
            "DELETE /api/v1/clients/site1 HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "GET /api/v1/clients HTTP/1.1\r\nHost: evil.example\r\n\r\n",
            "GET /../../etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "GET /%2e%2e/%2e%2e/etc/passwd HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "GET /api/v1/clients/%zz HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "GET /api/v1/audit?cursor=9223372036854775808 HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "GET /" + "a".repeat(20_000) + " HTTP/1.1\r\nHost: localhost\r\n\r\n",
            "\0\1\2 nothing\r\n\r\n"
        }) {
            try (Socket socket = new Socket("127.0.0.1", console.getPort());
                    InputStream in = socket.getInputStream()) {
                socket.getOutputStream().write(request.getBytes(StandardCharsets.ISO_8859_1));
                String answer = new String(in.readAllBytes(), StandardCharsets.UTF_8);
                assertThat(answer).as(request.substring(0, 9)).startsWith("HTTP/1.1 4");
                assertThat(answer.length()).isLessThan(2000);
            }
        }
        assertThat(api("/about", "/about").path("clients").asInt()).isZero();
        assertThat(sites.here("list").exitCode()).isZero();
    }

    private HttpClient person(String name) throws Exception {
        Path certs = folder.resolve("certs");
        TlsFiles files = new TlsFiles(
                certs.resolve("client-" + name + ".crt"),
                certs.resolve("client-" + name + ".key"),
                certs.resolve("ca.crt"));
        return HttpClient.newBuilder().sslContext(PersonTls.of(files)).build();
    }

    @Test
    void elsewhereOnlyNamedPeopleWithACertificateThatIsNotRevokedLook() throws Exception {
        Path certs = folder.resolve("certs");
        assertThat(sites.agentCommand(
                                "certs",
                                "--out",
                                certs.toString(),
                                "--revoke",
                                certs.resolve("client-site1-second.crt").toString())
                        .exitCode())
                .isZero();
        sites.serveWith(
                "--console",
                "0.0.0.0:0",
                "--console-people",
                "site1-admin,site1-second",
                "--crl",
                certs.resolve("ca.crl").toString());
        sites.startAgent();
        assertThat(console().getScheme()).isEqualTo("https");
        URI console = URI.create("https://localhost:" + console().getPort() + "/");
        HttpResponse<String> about = get(person("site1-admin"), console, "/api/v1/about");
        assertThat(DOCUMENT.checked("/about", about.statusCode(), about.body())
                        .path("you")
                        .asText())
                .isEqualTo("site1-admin");
        HttpResponse<String> refused = get(person("site1"), console, "/api/v1/about");
        assertThat(refused.statusCode()).isEqualTo(403);
        assertThat(refused.body()).contains("'site1' is not among '--console-people'");
        HttpResponse<String> revoked = get(person("site1-second"), console, "/");
        assertThat(revoked.statusCode()).isEqualTo(403);
        assertThat(revoked.body()).contains("was revoked");
        HttpClient nobody = HttpClient.newBuilder()
                .sslContext(PersonTls.ofNobody(certs.resolve("ca.crt")))
                .build();
        assertThatThrownBy(() -> get(nobody, console, "/")).isInstanceOf(IOException.class);
    }

    @Test
    void peopleMayHaveAnAuthorityOfTheirOwnWhoseCertificatesAreNoClients() throws Exception {
        Path agents = folder.resolve("certs/ca.crt");
        TlsFiles alice = new TestCertificates(Files.createDirectory(folder.resolve("people"))).client("alice");
        sites.serveWith(
                "--console",
                "127.0.0.1:0",
                "--console-people",
                "alice,site1",
                "--console-authority",
                alice.authority().toString());
        sites.startAgent();
        URI console = URI.create("https://localhost:" + console().getPort() + "/");
        HttpClient known = HttpClient.newBuilder()
                .sslContext(PersonTls.of(new TlsFiles(alice.certificate(), alice.key(), agents)))
                .build();
        assertThat(get(known, console, "/api/v1/about").statusCode()).isEqualTo(200);
        assertThatThrownBy(() -> get(person("site1"), console, "/")).isInstanceOf(IOException.class);
    }

    @Test
    void anAddressThatOthersReachNeedsPeopleAndPeopleNeedAnAddress() throws IOException {
        sites.serveWith("--console", "0.0.0.0:0");
        assertThatThrownBy(() -> sites.startAgent())
                .hasMessageContaining("'0.0.0.0:0' can be reached from other machines")
                .hasMessageContaining("say who may look with --console-people");
        sites.serveWith("--console-people", "alice");
        assertThatThrownBy(() -> sites.startAgent()).hasMessageContaining("name its address with --console");
        sites.serveWith("--console", "127.0.0.1:0", "--console-authority", "ca.crt");
        assertThatThrownBy(() -> sites.startAgent()).hasMessageContaining("name them with --console-people");
        sites.serveWith("--console", "127.0.0.1:0", "--console-people", "al/ice");
        assertThatThrownBy(() -> sites.startAgent()).hasMessageContaining("name 'al/ice' is not allowed");
    }
}
