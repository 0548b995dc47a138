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
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Snapshots of a real agent that people open at the console: by whom they can be read, and how long. */
@InTurn(days = 3)
class ConsoleOpenIT {

    @TempDir
    private Path folder;

    private Sites sites;
    private ConsoleDaemon daemon;
    private ConsoleSite site;

    @BeforeEach
    void start() throws IOException {
        sites = new Sites(folder);
        sites.startAgent();
        Sites.random(folder.resolve("vm.img"), new Random(1), 4 << 20);
        sites.backUp(folder.resolve("vm.img"), "vm");
        daemon();
    }

    private void daemon() throws IOException {
        daemon = new ConsoleDaemon(
                folder,
                sites.agentSection(),
                "console: {listen: '0.0.0.0:0', certificate: c, key: k, authority: a, people: [alice, bob],"
                        + " actions: {alice: [open]}}\n"
                        + "jobs: {nightly: {images: {vm: {file: vm.img}}}}\n");
        daemon.at(Instant.now());
        site = new ConsoleSite(daemon.config().console().orElseThrow(), daemon.sources());
    }

    @AfterEach
    void stop() throws IOException {
        daemon.close();
        sites.close();
    }

    private JsonNode post(X509Certificate person, String path, String body, int status) throws IOException {
        Answer answer =
                site.answer(new PageRequest("POST", "/api/v1/" + path, Map.of(), OWN_PAGE, Optional.of(person), body));
        String documented =
                path.replace("images/vm", "/images/{name}").replaceFirst("^exports/[^/]*", "/exports/{number}");
        JsonNode json = ApiSchema.checked(
                "post", documented, answer.status(), answer.body().text());
        assertThat(answer.status()).as(json.toString()).isEqualTo(status);
        return json;
    }

    private JsonNode open(int status) throws IOException {
        return post(ALICE, "images/vm/open", "{\"snapshot\": 1, \"hours\": 2}", status);
    }

    private JsonNode exports(X509Certificate person) throws IOException {
        Answer answer = site.answer(new PageRequest("/api/v1/exports", Map.of(), OWN_PAGE, Optional.of(person)));
        return ApiSchema.checked("/exports", answer.status(), answer.body().text())
                .path("exports");
    }

    /** An export by its number, once it is so. */
    private JsonNode await(int number, String state) throws Exception {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (true) {
            for (JsonNode each : exports(ALICE)) {
                if (each.path("number").asInt() == number
                        && each.path("state").asText().equals(state)) {
                    return each;
                }
            }
            assertThat(System.nanoTime()).as(exports(ALICE).toString()).isLessThan(deadlineNs);
            Thread.sleep(20);
        }
    }

    private Path socket(int number) {
        return folder.resolve("state/exports/" + number + ".nbd");
    }

    private static String run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String said = new String(process.getInputStream().readAllBytes(), java.nio.charset.StandardCharsets.UTF_8);
        assertThat(process.waitFor()).as(said).isZero();
        return said;
    }

    /** What a server of NBD says first. */
    private static String greeting(Path socket) throws IOException {
        try (SocketChannel client = SocketChannel.open(StandardProtocolFamily.UNIX)) {
            client.connect(UnixDomainSocketAddress.of(socket));
            ByteBuffer magic = ByteBuffer.allocate(8);
            while (magic.hasRemaining() && client.read(magic) >= 0) {
                continue;
            }
            return new String(magic.array(), java.nio.charset.StandardCharsets.US_ASCII);
        }
    }

    @Test
    void aSnapshotIsOpenToTheDaemonsUserAloneUntilItIsClosed() throws Exception {
        assertThat(open(202).path("export").asInt()).isOne();
        JsonNode opened = await(1, "open");
        assertThat(opened.path("uri").asText())
                .isEqualTo("nbd+unix:///vm@1?socket=" + socket(1).toAbsolutePath());
        assertThat(greeting(socket(1))).isEqualTo("NBDMAGIC");
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(socket(1))))
                .isEqualTo("rw-------");
        assertThat(PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(socket(1).getParent())))
                .isEqualTo("rwx------");
        assertThat(exports(BOB).get(0).has("uri")).as("who may not open any").isFalse();
        post(BOB, "exports/1/close", "{}", 403);
        post(ALICE, "exports/1/close", "{}", 202);
        assertThat(await(1, "closed").path("reason").asText()).isEqualTo("alice closed it");
        assertThat(socket(1)).doesNotExist();
        post(ALICE, "exports/1/close", "{}", 409);
        post(ALICE, "exports/7/close", "{}", 404);
        post(ALICE, "exports/x/close", "{}", 404);
        Answer runs = site.answer(new PageRequest("/api/v1/runs", Map.of(), OWN_PAGE, Optional.of(BOB)));
        assertThat(ApiSchema.checked("/runs", 200, runs.body().text())
                        .path("runs")
                        .findValuesAsText("action"))
                .containsExactly("close the export of 1", "open 1 for 2 h");
    }

    @Test
    void whatIsReadIsTheImageAndNothingCanBeWritten() throws Exception {
        assumeTrue(Files.isExecutable(Path.of("/usr/bin/nbdcopy")), "no nbdcopy here: tools/packages.sh open");
        open(202);
        String uri = await(1, "open").path("uri").asText();
        run("nbdcopy", uri, folder.resolve("copy").toString());
        assertThat(folder.resolve("copy")).hasSameBinaryContentAs(folder.resolve("vm.img"));
        assertThat(run("nbdinfo", "--json", uri)).contains("\"is_read_only\": true");
    }

    @Test
    void itClosesByItselfWhenItsTimeIsOver() throws Exception {
        open(202);
        JsonNode opened = await(1, "open");
        Instant until = Instant.parse(opened.path("until").asText());
        daemon.at(until.minusSeconds(1));
        assertThat(greeting(socket(1))).isEqualTo("NBDMAGIC");
        daemon.at(until);
        assertThat(await(1, "closed").path("reason").asText()).isEqualTo("its time was over");
        assertThat(socket(1)).doesNotExist();
    }

    @Test
    void aDaemonThatStopsClosesAllAndTheNextClearsWhatAKilledOneLeft() throws Exception {
        open(202);
        await(1, "open");
        daemon.close();
        assertThat(socket(1)).doesNotExist();
        Files.createFile(socket(3));
        daemon();
        assertThat(socket(3)).doesNotExist();
        assertThat(exports(ALICE)).isEmpty();
    }

    @Test
    void fourAreOpenAtOnce() throws Exception {
        for (int i = 1; i <= 4; i++) {
            open(202);
            await(i, "open");
        }
        assertThat(open(409).path("error").asText()).contains("4 snapshots are open already: close one");
        post(ALICE, "exports/2/close", "{}", 202);
        await(2, "closed");
        open(202);
        await(5, "open");
    }

    @Test
    void whatCanNotBeOpenedSaysWhyAndBadWishesAreRefused() throws Exception {
        post(ALICE, "images/vm/open", "{\"snapshot\": 9, \"hours\": 1}", 202);
        assertThat(await(1, "failed").path("reason").asText()).contains("snapshot vm@9 is not there");
        post(BOB, "images/vm/open", "{\"snapshot\": 1, \"hours\": 1}", 403);
        for (String body : new String[] {
            "{}",
            "{\"snapshot\": 1}",
            "{\"snapshot\": 1, \"hours\": 0}",
            "{\"snapshot\": 1, \"hours\": 25}",
            "{\"snapshot\": 1, \"hours\": \"1\"}",
            "{\"snapshot\": 1, \"hours\": 1.5}",
            "{\"snapshot\": -1, \"hours\": 1}",
            "{\"snapshot\": 1, \"hours\": 1, \"to\": \"a\"}"
        }) {
            post(ALICE, "images/vm/open", body, 400);
        }
        sites.killAgent();
        open(202);
        assertThat(await(2, "failed").path("reason").asText()).contains("127.0.0.1");
    }
}
