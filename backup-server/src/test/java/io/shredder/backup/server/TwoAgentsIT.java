// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Differences, damage that heals, copies: between the operator's command and two real agents. */
class TwoAgentsIT {

    private static final int MIB = 1 << 20;

    @TempDir
    private Path folder;

    private Sites first;
    private Sites second;
    private Path image;
    private Path changed;

    @BeforeEach
    void start() throws IOException {
        Files.createDirectories(folder.resolve("first/agent"));
        first = new Sites(folder.resolve("first"), folder.resolve("first/agent/repo"));
        second = new Sites(Files.createDirectory(folder.resolve("second")));
        Path rights = Files.writeString(
                folder.resolve("rights.yaml"), "clients: {site1: {rights: [append, restore, prune]}}\n");
        second.serveWith("--rights", rights.toString());
        first.startAgent();
        second.startAgent();
        image = folder.resolve("image");
        Sites.random(image, new Random(1), 6 * MIB);
        changed = Files.copy(image, folder.resolve("changed"));
        try (RandomAccessFile file = new RandomAccessFile(changed.toFile(), "rw")) {
            file.seek(4 * MIB);
            file.write(new byte[1000]);
        }
    }

    @AfterEach
    void stop() throws IOException {
        first.close();
        second.close();
    }

    private static JsonNode ok(Sites.Result result) throws IOException {
        assertThat(result.exitCode()).as(result.err()).isZero();
        return result.out().isEmpty()
                ? new ObjectMapper().createObjectNode()
                : new ObjectMapper().readTree(result.out());
    }

    private JsonNode backUp(Path from) throws IOException {
        return ok(first.here("backup", from.toString(), "--name", "vm", "--json"));
    }

    private void assertRestores(Sites from, String snapshot, Path expected) throws IOException {
        Path to = folder.resolve("restored");
        List<String> words = new ArrayList<>(List.of("restore", snapshot, "--to", to.toString(), "--force", "--json"));
        words.addAll(first.keyOptions("site"));
        JsonNode report = ok(from.here(words.toArray(String[]::new)));
        assertThat(report.get("imageBytes").asLong()).isEqualTo(Files.size(expected));
        assertThat(Sites.sha256(to)).isEqualTo(Sites.sha256(expected));
    }

    private Sites.Result withSecond(String... words) throws IOException {
        List<String> all = new ArrayList<>(List.of(words));
        all.addAll(second.secondAgentOptions());
        all.add("--json");
        return first.here(all.toArray(String[]::new));
    }

    /** In the only container: counted from its end if negative. */
    private void flipAByte(int at) throws IOException {
        Path container = first.repository().resolve("containers/00000/00000001.container");
        byte[] bytes = Files.readAllBytes(container);
        bytes[at < 0 ? bytes.length + at : at] ^= 1;
        Files.write(container, bytes);
    }

    private JsonNode verify(int exitCode) throws IOException {
        Sites.Result result = first.here("verify", "--json");
        assertThat(result.exitCode()).as(result.err()).isEqualTo(exitCode);
        return new ObjectMapper().readTree(result.out());
    }

    @Test
    void aChangeIsShownAsDamageHealsAndACopyOutlivesItsOriginal() throws IOException {
        backUp(image);
        backUp(changed);
        assertDifference();
        assertNextBackupHeals();
        assertCopies();
        assertSecondAgentHeals();
        first.killAgent();
        assertRestores(second, "vm@1", image);
        assertRestores(second, "vm", changed);
    }

    @Test
    void whatWasPrunedAtTheSecondAgentDoesNotComeBackBehindWhatWasKept() throws IOException {
        for (int day = 1; day <= 3; day++) {
            Sites.random(image, new Random(day), MIB);
            backUp(image);
        }
        assertThat(ok(withSecond("copy", "--all")).get("copied")).hasSize(3);
        List<String> prune = new ArrayList<>(List.of("prune", "vm", "--keep-last", "1", "--json"));
        prune.addAll(first.keyOptions("site"));
        assertThat(ok(second.here(prune.toArray(String[]::new))).get("deleted")).hasSize(2);

        JsonNode again = ok(withSecond("copy", "--all"));
        assertThat(again.get("copied")).isEmpty();
        assertThat(again.get("older")).hasSize(2);
        assertThat(ok(second.here("list", "vm", "--json")).get("snapshots")).hasSize(1);
        assertRestores(second, "vm", image);

        Sites.Result named = withSecond("copy", "vm@1");
        assertThat(named.exitCode()).isEqualTo(1);
        assertThat(named.err()).contains("vm@1 is not copied").contains("--older");
        assertThat(ok(withSecond("copy", "vm@1", "--older")).get("copied")).hasSize(1);
        backUp(changed);
        assertThat(ok(withSecond("copy", "--all")).get("copied")).hasSize(1);
        assertRestores(second, "vm", changed);
    }

    /** An agent whose disk is put back lists less than this site has seen, and of "late" nothing at all. */
    private void loseWhatCameLast() throws IOException {
        backUp(image);
        ok(first.here("backup", image.toString(), "--name", "good", "--json"));
        first.stopAgent();
        Map<String, byte[]> before = FileTree.read(folder.resolve("first/agent"));
        first.stayAtPort();
        first.startAgent();
        backUp(changed);
        ok(first.here("backup", image.toString(), "--name", "late", "--json"));
        first.stopAgent();
        FileTree.write(folder.resolve("first/agent"), before);
        first.startAgent();
    }

    @Test
    void nothingIsCopiedOfWhatTheFirstAgentShowsLessOf() throws IOException {
        loseWhatCameLast();
        Sites.Result copied = withSecond("copy", "--all");
        assertThat(copied.exitCode()).isEqualTo(3);
        assertThat(copied.err())
                .contains("ALARM: the agent shows less of 'vm' than it had")
                .contains("ALARM: the agent shows less of 'late' than it had");
        JsonNode report = new ObjectMapper().readTree(copied.out());
        assertThat(report.get("alarms")).hasSize(2);
        assertThat(report.get("copied")).hasSize(1);
        assertThat(second.here("list").out()).contains("good").doesNotContain("vm");
    }

    @Test
    void theDaemonsCopiesLeaveOutWhatTheFirstAgentShowsLessOf() throws IOException {
        loseWhatCameLast();
        Path certs = folder.resolve("second/certs");
        Path config = Files.writeString(
                folder.resolve("server.yaml"),
                "version: 1\nstate: first/state\nmonitoring: 127.0.0.1:0\n" + first.agentSection()
                        + "jobs: {nightly: {images: {vm: {file: image}}}}\ncare: {elsewhere: {copy: {to: '127.0.0.1:"
                        + second.port() + "', certificate: " + certs + "/client-site1.crt, key: " + certs
                        + "/client-site1.key, authority: " + certs + "/ca.crt}}}\n");
        Sites.Result copied = first.configured("run", "elsewhere", "--json", "--config", config.toString());
        assertThat(copied.exitCode()).as(copied.err()).isEqualTo(3);
        assertThat(copied.err())
                .contains("ALARM: the agent shows less of 'vm' than it had")
                .contains("late");
        assertThat(new ObjectMapper()
                        .readTree(copied.out())
                        .at("/figures/copied.snapshots")
                        .asInt())
                .isEqualTo(1);
        assertThat(second.here("list").out()).contains("good").doesNotContain("vm");
    }

    private void assertDifference() throws IOException {
        JsonNode difference = ok(first.here("diff", "vm@1", "vm@2", "--ranges", "--json"));
        assertThat(difference.get("newChunks").asLong()).isBetween(1L, 3L);
        assertThat(difference.get("removedChunks").asLong())
                .as("of the changed chunk, parts are kept")
                .isZero();
        assertThat(difference.get("ranges")).singleElement().satisfies(range -> {
            long offset = range.get("offset").asLong();
            assertThat(offset).isLessThanOrEqualTo(4 * MIB);
            assertThat(offset + range.get("bytes").asLong()).isGreaterThanOrEqualTo(4 * MIB + 1000);
        });
        assertThat(difference.get("sameBytes").asLong()
                        + difference.get("newBytes").asLong())
                .isEqualTo(6 * MIB);
        assertThat(ok(first.here("diff", "vm@1", "vm@1", "--json"))
                        .get("changedRanges")
                        .asInt())
                .isZero();
    }

    private void assertNextBackupHeals() throws IOException {
        flipAByte(-10);
        assertThat(verify(1).get("problems")).hasSize(1);
        assertThat(backUp(changed).get("newChunks").asLong())
                .as("what had changed is made again from where it is")
                .isBetween(1L, 3L);
        assertThat(verify(0).get("problems")).isEmpty();
        assertRestores(first, "vm@2", changed);

        flipAByte(64 + 84 + 100);
        assertThat(verify(1).get("problems")).hasSize(1);
        Sites.Result named = first.here("repair", "--known", "--json");
        assertThat(named.exitCode()).isEqualTo(1);
        JsonNode damage = new ObjectMapper().readTree(named.out());
        long damaged = damage.get("damagedChunks").asLong();
        assertThat(damaged).as("all chunks of a region").isPositive();
        assertThat(damage.get("damagedBySnapshot")).hasSize(3);
        assertThat(backUp(changed).get("newChunks").asLong()).isEqualTo(damaged);
        assertThat(verify(0).get("problems")).isEmpty();
        for (String snapshot : List.of("vm@1", "vm@2", "vm@4")) {
            assertRestores(first, snapshot, snapshot.equals("vm@1") ? image : changed);
        }
    }

    private void assertCopies() throws IOException {
        JsonNode one = ok(withSecond("copy", "vm@1"));
        assertThat(one.get("copied")).hasSize(1);
        assertThat(one.get("sentBytes").asLong()).isGreaterThan(6L * MIB);
        JsonNode all = ok(withSecond("copy", "--all"));
        assertThat(all.get("copied")).hasSize(3);
        assertThat(all.get("alreadyThere")).singleElement().matches(id -> id.asLong() == 1);
        assertThat(all.get("sentChunks").asLong()).isBetween(1L, 3L);
        assertThat(ok(withSecond("copy", "--all")).get("copied")).isEmpty();

        Sites.Result same = first.here(Stream.concat(Stream.of("copy", "vm"), first.secondAgentOptions().stream())
                .toArray(String[]::new));
        assertThat(same.exitCode()).isEqualTo(1);
        assertThat(same.err()).contains("both agents serve the repository");
        ok(second.here("backup", image.toString(), "--name", "other", "--json"));
        ok(first.here("backup", image.toString(), "--name", "other", "--json"));
        assertThat(ok(withSecond("copy", "other")).get("copied"))
                .as("beside the snapshots of another key")
                .hasSize(1);
        Sites.Result nothing = first.here("repair", "none", "--json");
        assertThat(nothing.exitCode()).isEqualTo(1);
        assertThat(new ObjectMapper().readTree(nothing.out()).get("error").asText())
                .contains("there is no snapshot of 'none'");
    }

    private void assertSecondAgentHeals() throws IOException {
        flipAByte(-10);
        JsonNode repaired = ok(withSecond("repair", "vm@1"));
        assertThat(repaired.get("damagedChunks").asInt()).isPositive();
        assertThat(repaired.get("repairedChunks")).isEqualTo(repaired.get("damagedChunks"));
        assertRestores(first, "vm@1", image);
        assertThat(verify(0).get("problems")).isEmpty();
    }
}
