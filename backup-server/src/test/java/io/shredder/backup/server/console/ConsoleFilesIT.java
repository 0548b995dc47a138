// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.console;

import static io.shredder.backup.server.console.ConsolePeople.ALICE;
import static io.shredder.backup.server.console.ConsolePeople.BOB;
import static io.shredder.backup.server.console.ConsolePeople.OWN_PAGE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.fasterxml.jackson.databind.JsonNode;
import io.shredder.backup.monitoring.PageRequest;
import io.shredder.backup.monitoring.PageServer.Answer;
import io.shredder.backup.server.Sites;
import io.shredder.chunk.InTurn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Files of a snapshot at the console, from a real agent and by the real reader, where its programs are. */
@InTurn(days = 3)
class ConsoleFilesIT {

    private static final Path SANDBOX = Path.of("/usr/bin/bwrap");
    private static final Path PARSERS = Path.of("/opt/shredder-files/bin/python3");
    private static final int MANY = 5_100;

    @TempDir
    private Path folder;

    private Sites sites;
    private ConsoleDaemon daemon;
    private ConsoleSite site;

    @BeforeEach
    void start() throws IOException {
        sites = new Sites(folder);
        sites.startAgent();
        daemon = new ConsoleDaemon(
                folder,
                sites.agentSection(),
                "console: {listen: '0.0.0.0:0', certificate: c, key: k, authority: a, people: [alice, bob],"
                        + " actions: {alice: [files]}}\n"
                        + "jobs: {nightly: {images: {vm: {file: vm.img}}}}\n");
        daemon.at(Instant.now());
        site = new ConsoleSite(daemon.config().console().orElseThrow(), daemon.sources());
    }

    @AfterEach
    void stop() throws IOException {
        daemon.close();
        sites.close();
    }

    /** An ext4 of a folder with a file of a name that says to be markup, and a folder of many. */
    private void backUpFiles() throws Exception {
        assumeTrue(Files.isExecutable(SANDBOX) && Files.isExecutable(PARSERS), "no reader of files here");
        Path root = folder.resolve("root");
        Files.createDirectories(root.resolve("etc"));
        Files.writeString(root.resolve("etc/passwd"), "root:x:0:0\n");
        Files.writeString(root.resolve("etc/<b>bold"), "x");
        Files.createSymbolicLink(root.resolve("etc/link"), Path.of("../outside"));
        Files.createDirectories(root.resolve("many"));
        for (int i = 0; i < MANY; i++) {
            Files.createFile(root.resolve("many/a-file-with-a-name-of-some-length-" + i));
        }
        Path image = folder.resolve("vm.img");
        Sites.random(image, new Random(1), 0);
        Process made = new ProcessBuilder(
                        "/sbin/mke2fs",
                        "-q",
                        "-t",
                        "ext4",
                        "-N",
                        "8192",
                        "-d",
                        root.toString(),
                        image.toString(),
                        "64m")
                .redirectErrorStream(true)
                .start();
        String said = new String(made.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        assertThat(made.waitFor()).as(said).isZero();
        sites.backUp(image, "vm");
    }

    private JsonNode post(X509Certificate person, String body, int status) throws IOException {
        Answer answer = site.answer(
                new PageRequest("POST", "/api/v1/images/vm/files", Map.of(), OWN_PAGE, Optional.of(person), body));
        JsonNode json = ApiSchema.checked(
                "post", "/images/{name}/files", answer.status(), answer.body().text());
        assertThat(answer.status()).as(json.toString()).isEqualTo(status);
        return json;
    }

    private Answer get(X509Certificate person, int number, Map<String, List<String>> query) {
        return site.answer(new PageRequest("/api/v1/listings/" + number, query, OWN_PAGE, Optional.of(person)));
    }

    private JsonNode await(int number, Map<String, List<String>> query) throws Exception {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(90);
        while (true) {
            Answer answer = get(ALICE, number, query);
            assertThat(answer.body().length()).isLessThan(200_000);
            JsonNode json = ApiSchema.checked(
                    "/listings/{number}", answer.status(), answer.body().text());
            if (answer.status() == 200) {
                return json;
            }
            assertThat(answer.status()).as(json.toString()).isEqualTo(202);
            assertThat(System.nanoTime()).isLessThan(deadlineNs);
            Thread.sleep(50);
        }
    }

    private JsonNode list(String path) throws Exception {
        String more = path.isEmpty() ? "" : ", \"path\": \"" + path + "\"";
        int number = post(ALICE, "{\"snapshot\": 1" + more + "}", 202)
                .path("listing")
                .asInt();
        return await(number, Map.of());
    }

    @Test
    void fileSystemsAndFilesAreListedForWhoHasTheRight() throws Exception {
        backUpFiles();
        JsonNode volumes = list("");
        assertThat(volumes.at("/volumes/0/type").asText())
                .as(volumes.toString())
                .isEqualTo("ext4");
        String volume = volumes.at("/volumes/0/volume").asText();
        JsonNode etc = list(volume + ":/etc");
        assertThat(etc.path("files").findValuesAsText("path"))
                .containsExactlyInAnyOrder("/etc/passwd", "/etc/<b>bold", "/etc/link");
        assertThat(etc.path("files").findValuesAsText("target")).containsExactly("../outside");
        post(BOB, "{\"snapshot\": 1}", 403);
        assertThat(get(BOB, 1, Map.of()).status()).isEqualTo(403);
        assertThat(get(ALICE, 99, Map.of()).status()).isEqualTo(404);
        Answer runs = site.answer(new PageRequest("/api/v1/runs", Map.of(), OWN_PAGE, Optional.of(BOB)));
        assertThat(ApiSchema.checked("/runs", 200, runs.body().text())
                        .path("runs")
                        .findValuesAsText("action"))
                .containsExactly("list files of 1: " + volume + ":/etc", "list files of 1");
        assertThat(list("/absent").path("problems").toString() + list("/absent").path("error"))
                .contains("absent");
    }

    @Test
    void moreFilesThanAnAnswerHoldsComeInPagesUpToALimitThatIsSaid() throws Exception {
        backUpFiles();
        JsonNode first = list("/many");
        assertThat(first.path("error").asText()).contains("there are more files than the first 5000");
        assertThat(first.path("total").asInt()).isEqualTo(5_000);
        List<String> paths = new ArrayList<>();
        Optional<String> cursor = Optional.of("0");
        while (cursor.isPresent()) {
            JsonNode page = await(1, Map.of("limit", List.of("500"), "cursor", List.of(cursor.get())));
            paths.addAll(page.path("files").findValuesAsText("path"));
            cursor = Optional.ofNullable(page.get("next")).map(JsonNode::asText);
        }
        assertThat(paths).hasSize(5_000).doesNotHaveDuplicates();
    }

    @Test
    void whereTheReadersProgramsAreMissingTheAnswerSaysWhatToInstall() throws Exception {
        assumeTrue(!Files.isExecutable(SANDBOX) || !Files.isExecutable(PARSERS), "they are here");
        Sites.random(folder.resolve("vm.img"), new Random(1), 1 << 20);
        sites.backUp(folder.resolve("vm.img"), "vm");
        assertThat(list("").path("error").asText()).contains("install");
    }

    @Test
    void badWishesAreRefused() throws IOException {
        for (String body : List.of(
                "{}",
                "{\"snapshot\": 0}",
                "{\"snapshot\": 1, \"path\": \"\"}",
                "{\"snapshot\": 1, \"path\": 5}",
                "{\"snapshot\": 1, \"path\": null}",
                "{\"snapshot\": 1, \"path\": \"/a\\u0000\"}",
                "{\"snapshot\": 1, \"path\": \"/a\\nb\"}",
                "{\"snapshot\": 1, \"path\": \"" + "x".repeat(1001) + "\"}",
                "{\"snapshot\": 1, \"to\": \"x\"}")) {
            post(ALICE, body, 400);
        }
    }
}
