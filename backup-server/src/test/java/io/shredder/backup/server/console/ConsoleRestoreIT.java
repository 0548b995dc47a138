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
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.cert.X509Certificate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Restores at the console from a real agent: where they may go, and what becomes of those that end early. */
@InTurn(days = 3)
class ConsoleRestoreIT {

    private static final int MIB = 1 << 20;

    @TempDir
    private Path folder;

    private Path image;
    private Path to;
    private Sites sites;
    private ConsoleDaemon daemon;
    private ConsoleSite site;

    @BeforeEach
    void start() throws IOException {
        folder = folder.toRealPath();
        sites = new Sites(folder);
        sites.startAgent();
        image = folder.resolve("vm.img");
        Sites.random(image, new Random(1), 4 * MIB);
        sites.backUp(image, "vm");
        to = Files.createDirectory(
                folder.resolve("restored"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
        daemon("");
    }

    @AfterEach
    void stop() throws IOException {
        daemon.close();
        sites.close();
    }

    private void daemon(String more) throws IOException {
        daemon = new ConsoleDaemon(
                folder,
                sites.agentSection(),
                "console: {listen: '0.0.0.0:0', certificate: c, key: k, authority: a, people: [alice, bob],"
                        + " actions: {alice: [restore]}, restore-to: " + to + "}\n" + more
                        + "jobs: {nightly: {images: {vm: {file: vm.img}}}}\n");
        site = new ConsoleSite(daemon.config().console().orElseThrow(), daemon.sources());
    }

    /** The next daemon has little bandwidth, so that restores last. */
    private void slowDaemon() throws IOException {
        daemon.close();
        daemon("bandwidth: 200k\n");
    }

    private JsonNode post(X509Certificate person, String path, String body, int status) throws IOException {
        Answer answer =
                site.answer(new PageRequest("POST", "/api/v1/" + path, Map.of(), OWN_PAGE, Optional.of(person), body));
        String documented = path.replace("images/vm", "/images/{name}")
                .replace("images/other", "/images/{name}")
                .replaceFirst("^restores/[^/]*", "/restores/{number}");
        JsonNode json = ApiSchema.checked(
                "post", documented, answer.status(), answer.body().text());
        assertThat(answer.status()).as(json.toString()).isEqualTo(status);
        return json;
    }

    private JsonNode restore(String name, int status) throws IOException {
        return post(ALICE, "images/vm/restore", "{\"snapshot\": 1, \"to\": \"" + name + "\"}", status);
    }

    private JsonNode get(String path) throws IOException {
        Answer answer = site.answer(new PageRequest("/api/v1" + path, Map.of(), OWN_PAGE, Optional.of(BOB)));
        return ApiSchema.checked(path, answer.status(), answer.body().text());
    }

    private interface Seen {
        boolean in(JsonNode restore) throws IOException;
    }

    /** The newest restore, once it is so. */
    private JsonNode await(Seen seen) throws Exception {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (true) {
            JsonNode newest = get("/restores").at("/restores/0");
            if (seen.in(newest)) {
                return newest;
            }
            assertThat(System.nanoTime()).as(newest.toString()).isLessThan(deadlineNs);
            Thread.sleep(20);
        }
    }

    private JsonNode awaitEnd() throws Exception {
        JsonNode ended = await(each -> !each.path("state").asText().equals("running"));
        awaitOutcome();
        return ended;
    }

    private static void assertDone(JsonNode restore) {
        assertThat(restore.path("state").asText()).as(restore.toString()).isEqualTo("done");
    }

    /** It is a line of the history a moment later. */
    private void awaitOutcome() throws Exception {
        long deadlineNs = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!get("/runs").at("/runs/0/what").asText().equals("restore")) {
            assertThat(System.nanoTime()).isLessThan(deadlineNs);
            Thread.sleep(20);
        }
    }

    private List<String> inFolder() throws IOException {
        try (Stream<Path> files = Files.list(to)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void aSnapshotIsRestoredToANewFileOfItsOwnersAlone() throws Exception {
        assertThat(restore("vm.img", 202).path("restore").asInt()).isOne();
        JsonNode done = awaitEnd();
        assertDone(done);
        assertThat(done.path("writtenBytes").asLong()).isEqualTo(4 * MIB);
        assertThat(to.resolve("vm.img")).hasSameBinaryContentAs(image);
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(to.resolve("vm.img"))))
                .isEqualTo("rw-------");
        assertThat(inFolder()).containsExactly("vm.img");
        JsonNode runs = get("/runs").path("runs");
        assertThat(runs.at("/0/ok").asBoolean()).isTrue();
        assertThat(runs.at("/0/person").asText() + " " + runs.at("/0/to").asText())
                .isEqualTo("alice vm.img");
        assertThat(runs.at("/1/action").asText()).isEqualTo("restore 1 to vm.img");
        assertThat(runs.at("/1/person").asText()).isEqualTo("alice");
    }

    @Test
    void onlyWhoHasTheRightRestores() throws IOException {
        assertThat(post(BOB, "images/vm/restore", "{\"snapshot\": 1, \"to\": \"x\"}", 403)
                        .path("error")
                        .asText())
                .contains("'bob' may not restore");
        post(BOB, "restores/1/stop", "{}", 403);
        assertThat(get("/restores").path("total").asInt()).isZero();
        assertThat(get("/runs").path("runs")).isEmpty();
    }

    @Test
    void noPageOfElsewhereHasAliceRestore() throws IOException {
        for (Map<String, String> more : List.of(
                Map.of("origin", "https://evil.example"),
                Map.of("origin", "null"),
                Map.of("sec-fetch-site", "cross-site"),
                Map.of("sec-fetch-site", "cross-site", "sec-fetch-mode", "navigate"),
                Map.of("x-shredder-action", ""))) {
            Map<String, String> headers = new HashMap<>(OWN_PAGE);
            headers.putAll(more);
            headers.values().removeIf(String::isEmpty);
            Answer answer = site.answer(new PageRequest(
                    "POST",
                    "/api/v1/images/vm/restore",
                    Map.of(),
                    headers,
                    Optional.of(ALICE),
                    "{\"snapshot\": 1, \"to\": \"x\"}"));
            assertThat(answer.status()).as(headers.toString()).isEqualTo(403);
        }
        assertThat(get("/restores").path("total").asInt()).isZero();
        assertThat(get("/runs").path("runs")).isEmpty();
    }

    @Test
    void noNameLeadsOutOfTheFolder() throws Exception {
        for (String name : List.of(
                "",
                ".",
                "..",
                "../vm.img",
                "a/b",
                "/etc/passwd",
                ".hidden",
                "-rf",
                "a\\u0000b",
                "a\\nb",
                "a b",
                "a\\\\b",
                "\\u00e4",
                "%2e%2e",
                "~",
                "$HOME",
                "x".repeat(129))) {
            assertThat(restore(name, 400).path("error").asText()).as(name).startsWith("'to' is '");
        }
        for (String body : List.of(
                "{}",
                "{\"snapshot\": 1}",
                "{\"snapshot\": 1, \"to\": 5}",
                "{\"snapshot\": 1, \"to\": [\"a\"]}",
                "{\"snapshot\": 0, \"to\": \"a\"}",
                "{\"snapshot\": \"1\", \"to\": \"a\"}",
                "{\"snapshot\": 1.5, \"to\": \"a\"}",
                "{\"snapshot\": 99999999999999999999, \"to\": \"a\"}",
                "{\"snapshot\": 1, \"to\": \"a\", \"force\": true}")) {
            post(ALICE, "images/vm/restore", body, 400);
        }
        post(ALICE, "images/other/restore", "{\"snapshot\": 1, \"to\": \"a\"}", 404);
        assertThat(get("/restores").path("total").asInt()).isZero();
        assertThat(inFolder()).isEmpty();
        restore("x".repeat(128), 202);
        assertDone(awaitEnd());
    }

    @Test
    void nothingThatIsThereIsWrittenOver() throws Exception {
        Path outside = Files.writeString(folder.resolve("outside"), "theirs");
        Files.writeString(to.resolve("there"), "mine");
        Files.createSymbolicLink(to.resolve("link"), outside);
        Files.createSymbolicLink(to.resolve("dangling"), folder.resolve("absent"));
        Files.createDirectory(to.resolve("folder"));
        for (String name : List.of("there", "link", "dangling", "folder")) {
            restore(name, 202);
            JsonNode ended = awaitEnd();
            assertThat(ended.path("state").asText()).isEqualTo("failed");
            assertThat(ended.path("error").asText()).contains(name + " exists");
        }
        assertThat(outside).hasContent("theirs");
        assertThat(to.resolve("there")).hasContent("mine");
        assertThat(folder.resolve("absent")).doesNotExist();
        assertThat(inFolder()).containsExactly("dangling", "folder", "link", "there");
    }

    @Test
    void whatComesToBeThereMeanwhileIsNotWrittenOverEither() throws Exception {
        slowDaemon();
        restore("vm.img", 202);
        await(each -> each.path("imageBytes").asLong() > 0);
        Files.writeString(to.resolve("vm.img"), "mine");
        JsonNode ended = awaitEnd();
        assertThat(ended.path("error").asText()).contains("vm.img exists");
        assertThat(to.resolve("vm.img")).hasContent("mine");
        assertThat(inFolder()).containsExactly("vm.img");
    }

    @Test
    void aFolderThatOthersMayChangeIsRefused() throws Exception {
        Files.setPosixFilePermissions(to, PosixFilePermissions.fromString("rwxrwx---"));
        restore("a", 202);
        assertThat(awaitEnd().path("error").asText()).contains("say chmod go-w " + to);
        Files.setPosixFilePermissions(to, PosixFilePermissions.fromString("rwx------"));
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwxrwxrwx"));
        restore("b", 202);
        assertThat(await(each -> each.path("to").asText().equals("b")
                                && each.path("state").asText().equals("failed"))
                        .path("error")
                        .asText())
                .contains("say chmod go-w " + folder);
        Files.setPosixFilePermissions(folder, PosixFilePermissions.fromString("rwx------"));
        Path elsewhere = Files.createDirectory(folder.resolve("elsewhere"));
        Files.move(to, folder.resolve("moved"));
        Files.createSymbolicLink(to, elsewhere);
        restore("c", 202);
        assertThat(await(each -> each.path("to").asText().equals("c")
                                && each.path("state").asText().equals("failed"))
                        .path("error")
                        .asText())
                .contains("is no folder");
        assertThat(elsewhere).isEmptyDirectory();
    }

    @Test
    void aRestoreThatIsStoppedLeavesNothing() throws Exception {
        slowDaemon();
        restore("vm.img", 202);
        JsonNode running = await(each -> each.path("imageBytes").asLong() == 4 * MIB);
        assertThat(running.path("state").asText()).isEqualTo("running");
        assertThat(restore("vm.img", 409).path("error").asText()).contains("a restore to 'vm.img' runs already");
        restore("second", 202);
        assertThat(restore("third", 409).path("error").asText()).contains("2 restores run already");
        post(ALICE, "restores/2/stop", "{}", 202);
        post(ALICE, "restores/1/stop", "{}", 202);
        await(each -> get("/restores").at("/restores/1/state").asText().equals("stopped")
                && each.path("state").asText().equals("stopped"));
        assertThat(inFolder()).isEmpty();
        post(ALICE, "restores/1/stop", "{}", 409);
        post(ALICE, "restores/9/stop", "{}", 404);
        post(ALICE, "restores/x/stop", "{}", 404);
        assertThat(get("/runs").path("runs").findValuesAsText("action")).contains("stop the restore of 1 to vm.img");
    }

    @Test
    void aDaemonThatStopsTakesWhatItWroteWithIt() throws Exception {
        slowDaemon();
        restore("vm.img", 202);
        await(each -> each.path("imageBytes").asLong() > 0);
        assertThat(inFolder()).hasSize(1).allMatch(name -> name.startsWith(".vm.img.restoring-"));
        daemon.close();
        assertThat(inFolder()).isEmpty();
    }

    @Test
    void whatADaemonThatWasKilledLeftIsRemovedAndNothingElse() throws Exception {
        daemon.close();
        Process ended = new ProcessBuilder("true").start();
        ended.waitFor();
        Files.writeString(to.resolve(".vm.img.restoring-" + ended.pid()), "half");
        Files.writeString(to.resolve(".vm.img.restoring-1"), "of a process that lives");
        Files.writeString(to.resolve(".other"), "mine");
        daemon("");
        restore("vm.img", 202);
        assertDone(awaitEnd());
        assertThat(inFolder()).containsExactly(".other", ".vm.img.restoring-1", "vm.img");
    }

    @Test
    void anAgentThatDiesEndsItAndNothingIsLeft() throws Exception {
        slowDaemon();
        restore("vm.img", 202);
        await(each -> each.path("imageBytes").asLong() > 0);
        sites.killAgent();
        JsonNode ended = awaitEnd();
        assertThat(ended.path("state").asText()).isEqualTo("failed");
        assertThat(ended.path("error").asText()).isNotBlank();
        assertThat(inFolder()).isEmpty();
    }

    @Test
    void aSnapshotThatIsNotThereIsNamed() throws Exception {
        post(ALICE, "images/vm/restore", "{\"snapshot\": 7, \"to\": \"vm.img\"}", 202);
        assertThat(awaitEnd().path("error").asText()).contains("snapshot vm@7 is not there, the latest is vm@1");
        assertThat(Files.exists(to.resolve("vm.img"), LinkOption.NOFOLLOW_LINKS))
                .isFalse();
    }

    @Test
    void aFullDiskIsNamedAndNothingIsLeft() throws Exception {
        assumeTrue(
                run("mount", "-t", "tmpfs", "-o", "size=1m,mode=700", "tmpfs", to.toString()) == 0,
                "nothing can be mounted");
        try {
            restore("vm.img", 202);
            assertThat(awaitEnd().path("error").asText()).contains("No space left on device", "make room there");
            assertThat(inFolder()).isEmpty();
        } finally {
            assertThat(run("umount", to.toString())).isZero();
        }
    }

    private static int run(String... command) throws Exception {
        return new ProcessBuilder(command).redirectErrorStream(true).start().waitFor();
    }

    @Test
    void withoutAFolderNobodyRestores() throws Exception {
        Files.delete(to);
        restore("a", 202);
        assertThat(awaitEnd().path("error").asText()).contains("is no folder: make it");
    }
}
