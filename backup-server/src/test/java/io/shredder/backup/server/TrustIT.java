// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.chunk.InTurn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What an attacker, a lost file or an agent that was put back can do to a backup, with a real agent over real TLS. */
class TrustIT {

    @TempDir
    private Path folder;

    private Sites sites;

    @BeforeEach
    void start() throws IOException {
        sites = new Sites(folder);
        sites.makeKey("foreign");
        Path rights = Files.writeString(
                folder.resolve("rights.yaml"), "clients:\n  site1: {rights: [append, restore, prune]}\n");
        sites.serveWith("--rights", rights.toString());
        sites.startAgent();
    }

    @AfterEach
    void stop() throws IOException {
        sites.close();
    }

    private Path image(long seed) throws IOException {
        Path image = folder.resolve("image" + seed);
        Sites.random(image, new Random(seed), 300_000);
        return image;
    }

    private Sites.Result ok(String... arguments) {
        Sites.Result result = sites.here(arguments);
        assertThat(result.exitCode()).as(result.err()).isZero();
        return result;
    }

    private void fails(int exitCode, String error, String... arguments) {
        Sites.Result result = sites.here(arguments);
        assertThat(result.err()).contains(error);
        assertThat(result.exitCode()).isEqualTo(exitCode);
    }

    private void backUp(long seed) throws IOException {
        ok("backup", image(seed).toString(), "--name", "sv");
    }

    private void backUpForeign(long seed) throws IOException {
        List<String> words = new ArrayList<>(List.of("backup", image(seed).toString(), "--name", "sv"));
        words.addAll(sites.keyOptions("foreign"));
        words.addAll(List.of("--state", folder.resolve("elsewhere").toString()));
        ok(words.toArray(String[]::new));
    }

    private void assertRestores(String choice, long seed) throws IOException {
        Path to = folder.resolve("restored");
        Files.deleteIfExists(to);
        assertThat(ok("restore", choice, "--to", to.toString()).out()).contains("taken 20");
        assertThat(Files.mismatch(to, folder.resolve("image" + seed))).isEqualTo(-1);
    }

    private Path snapshot(long id) {
        return sites.repository().resolve(String.format("snapshots/site1/sv/%016d.snapshot", id));
    }

    @InTurn(days = 3)
    @Test
    void snapshotsOfAForeignKeyPushNoGenuineOneOutAndStopNothing() throws IOException {
        backUp(1);
        backUp(2);
        for (long seed = 10; seed < 17; seed++) {
            backUpForeign(seed);
        }
        Path verification = Files.writeString(
                folder.resolve("site.verification"),
                sites.key().verificationKey().toLine());
        Sites.Result pruned = ok("prune", "--keep-last", "7", "--verification-key", verification.toString());
        assertThat(pruned.out()).contains("deleted 0 snapshots").contains("apart  sv@9");
        assertRestores("sv", 2);
        assertRestores("sv@1", 1);
        backUp(3);
        assertRestores("sv", 3);
        assertThat(ok("repair", "--known").err().lines())
                .as("seven, and a thousand, are five and how many more")
                .hasSize(6)
                .last()
                .asString()
                .contains("left out: 2 more");
        assertThat(ok("prune", "--keep-last", "1").out()).contains("deleted 2 snapshots");
        assertRestores("sv", 3);
        fails(
                1,
                "is sealed with key",
                "restore",
                "sv@5",
                "--to",
                folder.resolve("x").toString());
    }

    @Test
    void aLostSnapshotFileIsNamedAndNothingIsFreedForIt() throws IOException {
        backUp(1);
        backUp(2);
        backUp(3);
        Path aside = folder.resolve("aside");
        Files.move(snapshot(2), aside);
        sites.stopAgent();
        sites.startAgent();
        fails(1, "the snapshot is missing", "list");
        fails(1, "the snapshot is missing", "verify");
        fails(1, "nothing is collected", "gc");
        fails(1, "nothing is deleted", "prune", "--keep-last", "1");
        assertRestores("sv", 3);
        Files.move(aside, snapshot(2));
        ok("list");
        ok("gc");
        assertRestores("sv@2", 2);
        Files.delete(snapshot(2));
        fails(1, "nothing is collected", "gc");
        ok("prune", "--id", "2");
        ok("gc");
        ok("verify");
        assertRestores("sv@1", 1);
    }

    @InTurn(days = 3)
    @Test
    void aFolderOfSnapshotsThatIsNotThereIsMissed() throws IOException {
        backUp(1);
        Path snapshots = sites.repository().resolve("snapshots");
        Files.move(snapshots, folder.resolve("aside"));
        sites.stopAgent();
        sites.startAgent();
        fails(1, "nothing is collected", "gc");
        sites.stopAgent();
        Files.move(folder.resolve("aside"), snapshots);
        sites.startAgent();
        assertRestores("sv", 1);
    }

    @Test
    void anAgentThatWasPutBackIsNoticedByTheNextBackupAndRestore() throws IOException {
        backUp(1);
        sites.stopAgent();
        Path earlier = folder.resolve("earlier");
        copy(sites.repository(), earlier);
        sites.startAgent();
        backUp(2);
        sites.stopAgent();
        delete(sites.repository());
        copy(earlier, sites.repository());
        sites.startAgent();
        fails(
                3,
                "ALARM: the agent shows less of 'sv' than it had: sv@2",
                "backup",
                image(3).toString(),
                "--name",
                "sv");
        fails(3, "ALARM", "restore", "sv", "--to", folder.resolve("x").toString());
        assertThat(folder.resolve("x")).doesNotExist();
        fails(3, "ALARM: the agent lists less of 'sv' than it had: sv@2, taken 20", "list");
        assertThat(sites.here("list", "--json").out()).contains("\"alarms\":[\"ALARM: the agent lists less");
        ok("list", "--state", folder.resolve("elsewhere").toString());
        assertThat(ok("accept", "sv").out()).contains("sv@1");
        assertRestores("sv", 1);
        backUp(3);
        assertRestores("sv", 3);
    }

    @InTurn(days = 3)
    @Test
    void anotherRepositoryAtTheAgentsAddressIsNoticed() throws IOException {
        sites.stayAtPort();
        backUp(1);
        sites.stopAgent();
        Path unmounted = Files.move(sites.repository(), folder.resolve("unmounted"));
        Path key = folder.resolve("repo.index-key");
        Files.move(key, folder.resolve("unmounted.index-key"));
        sites.startAgent();
        String alarm = "ALARM: the agent at 127.0.0.1:" + sites.port() + " serves repository ";
        fails(3, alarm, "backup", image(2).toString(), "--name", "sv");
        fails(3, alarm, "restore", "sv", "--to", folder.resolve("x").toString());
        fails(3, alarm, "list");
        sites.stopAgent();
        delete(sites.repository());
        Files.move(unmounted, sites.repository());
        Files.move(folder.resolve("unmounted.index-key"), key, StandardCopyOption.REPLACE_EXISTING);
        sites.startAgent();
        assertRestores("sv", 1);
        sites.stopAgent();
        delete(sites.repository());
        Files.delete(key);
        sites.startAgent();
        fails(3, alarm, "backup", image(2).toString(), "--name", "sv");
        assertThat(ok("accept", "sv").out()).contains("accepted sv with 0 snapshots, the last: none");
        backUp(2);
        assertRestores("sv", 2);
    }

    @InTurn(days = 3)
    @Test
    void anAuditLogThatWasReplacedOrCutStopsTheNextCommitOfEachSeries() throws IOException {
        Path log = sites.repository().resolve("audit.log");
        backUp(1);
        ok("backup", image(5).toString(), "--name", "other");
        sites.stopAgent();
        Files.delete(log);
        sites.startAgent();
        String alarm = "ALARM: the agent's audit log is not the one that it had when sv@1 was committed";
        fails(3, alarm, "backup", image(2).toString(), "--name", "sv");
        fails(3, "when other@2 was committed", "backup", image(5).toString(), "--name", "other");
        assertThat(ok("list").out().lines()).hasSize(2);
        assertRestores("sv", 1);
        ok("accept", "sv");
        backUp(2);
        fails(3, "when other@2 was committed", "backup", image(5).toString(), "--name", "other");
        List<String> before = Files.readAllLines(log);
        ok("prune", "--id", "1");
        backUp(3);
        sites.stopAgent();
        Files.write(log, before);
        sites.startAgent();
        fails(3, "is not the one that it had when sv@", "backup", image(1).toString(), "--name", "sv");
        ok("accept", "sv");
        backUp(1);
        backUp(2);
        assertRestores("sv", 2);
    }

    @Test
    void aSeriesThatAnotherClientWentOnWithIsFollowed() throws IOException {
        backUp(1);
        List<String> other = List.of("--state", folder.resolve("other").toString());
        List<String> words = new ArrayList<>(List.of("backup", image(2).toString(), "--name", "sv"));
        words.addAll(other);
        ok(words.toArray(String[]::new));
        backUp(3);
        assertRestores("sv@2", 2);
        assertRestores("sv", 3);
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (Path file : (Iterable<Path>) all::iterator) {
                Files.copy(file, to.resolve(from.relativize(file).toString()), StandardCopyOption.COPY_ATTRIBUTES);
            }
        }
    }

    private static void delete(Path folder) throws IOException {
        try (Stream<Path> all = Files.walk(folder)) {
            for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(file);
            }
        }
    }
}
