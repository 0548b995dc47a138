// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shredder.chunk.InTurn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Damage in the repository is named with file and offset, and never restored. */
class DamageIT {

    @TempDir
    private Path folder;

    private Sites sites;
    private Path image;
    private Path other;

    @BeforeEach
    void backUpTwoImages() throws IOException {
        sites = new Sites(folder);
        Path rights = Files.writeString(folder.resolve("rights.yaml"), "others: {rights: [append, restore, prune]}");
        sites.serveWith("--rights", rights.toString());
        sites.startAgent();
        image = folder.resolve("image");
        other = folder.resolve("other");
        Sites.random(image, new Random(1), 3 << 20);
        Sites.random(other, new Random(2), 1 << 20);
        assertThat(sites.here("backup", image.toString(), "--name", "vm").exitCode())
                .isZero();
        assertThat(sites.here("backup", other.toString(), "--name", "other").exitCode())
                .isZero();
    }

    @AfterEach
    void stop() throws IOException {
        sites.close();
    }

    private static void flip(Path file, long at) throws IOException {
        byte[] bytes = Files.readAllBytes(file);
        bytes[(int) at] ^= 0x08;
        Files.write(file, bytes);
    }

    private void assertOtherRestores() throws IOException {
        Path to = folder.resolve("other-restored");
        assertThat(sites.here("restore", "other", "--to", to.toString(), "--force")
                        .exitCode())
                .isZero();
        assertThat(Sites.sha256(to)).isEqualTo(Sites.sha256(other));
    }

    @Test
    void aFlippedByteInAContainerIsNamedByRestoreAndVerify() throws IOException {
        flip(sites.repository().resolve("containers/00000/00000001.container"), 64 + 84 + 1000);
        Path to = folder.resolve("restored");
        Sites.Result restore = sites.here("restore", "vm", "--to", to.toString());
        assertThat(restore.exitCode()).isEqualTo(1);
        assertThat(restore.err())
                .containsPattern("chunk [0-9a-f]{64}")
                .contains("containers/00000/00000001.container")
                .contains("offset 64");
        assertThat(to).doesNotExist();
        assertThat(sites.repository().resolve("damaged"))
                .as("the agent remembers what the client could not open")
                .exists();
        String[][] commands = {
            {"verify", "--details"},
            {"verify", "vm", "--details"},
            {"verify", "--sample", "100", "--details"},
            {"verify", "--since", "1d", "--sample", "1", "--details"}
        };
        for (String[] command : commands) {
            Sites.Result verify = sites.here(command);
            assertThat(verify.exitCode()).isEqualTo(1);
            assertThat(verify.out()).contains("1 damaged");
            assertThat(verify.err())
                    .contains("containers/00000/00000001.container: damaged at offset 64")
                    .containsPattern("chunk [0-9a-f]{64}");
        }
        assertThat(sites.here("verify", "other").exitCode()).isZero();
        assertThat(sites.here("verify", "--sample", "5", "--seed", "42", "--json")
                        .out())
                .contains("\"samplePercent\":5,\"seed\":42");
        Sites.Result named = sites.here("verify", "vm", "--sample", "5");
        assertThat(named.exitCode()).isEqualTo(2);
        assertThat(named.err()).contains("leave the snapshot out");
        assertOtherRestores();
    }

    @Test
    void eachSnapshotThatIsHurtHasALineAndDetailsAreForWhoeverAsks() throws IOException {
        for (int i = 2; i <= 4; i++) {
            assertDone(sites.here("backup", image.toString(), "--name", "vm" + i));
        }
        sites.stopAgent();
        Path container = sites.repository().resolve("containers/00000/00000001.container");
        for (long at = 64 + 84 + 1000; at < 2 << 20; at += 100_000) {
            flip(container, at);
        }
        sites.startAgent();
        Sites.Result verify = sites.here("verify");
        assertThat(verify.exitCode()).isEqualTo(1);
        assertThat(verify.err()).hasLineCount(5);
        for (String name : List.of("vm@1", "vm2@3", "vm3@4", "vm4@5")) {
            assertThat(verify.err())
                    .containsPattern("shredder-backup: " + name + ": [0-9]+ chunks are damaged or missing");
        }
        assertThat(verify.err()).doesNotContain("other@2").containsPattern("[0-9]+ places are damaged, .*--details");
        assertThat(sites.here("verify", "--details").err()).hasLineCount(4 + damagedPlaces(verify));
        List<String> withKey = new ArrayList<>(List.of("verify", "--json"));
        withKey.addAll(sites.keyOptions("site"));
        JsonNode json = new ObjectMapper()
                .readTree(sites.here(withKey.toArray(String[]::new)).out());
        assertThat(json.get("problems")).hasSize(damagedPlaces(verify));
        assertThat(json.get("damagedSnapshots")).hasSize(4).first().satisfies(first -> {
            assertThat(first.get("snapshot").asText()).isEqualTo("vm@1");
            assertThat(first.get("ranges").get(0).get("offset").asLong()).isZero();
            long bytes = 0;
            for (JsonNode range : first.get("ranges")) {
                bytes += range.get("bytes").asLong();
            }
            assertThat(bytes).isBetween(1L << 20, 3L << 20);
        });
        withKey.remove("--json");
        assertThat(sites.here(withKey.toArray(String[]::new)).err())
                .containsPattern("vm@1: .* damaged or missing, [0-9]+ bytes of the image: 0 to [0-9]+");
    }

    private static void assertDone(Sites.Result result) {
        assertThat(result.exitCode()).as(result.err()).isZero();
    }

    /** As the last line says. */
    private static int damagedPlaces(Sites.Result verify) {
        String last = verify.err().lines().reduce((a, b) -> b).orElseThrow();
        return Integer.parseInt(last.replaceAll("\\D*([0-9]+) place.*", "$1"));
    }

    @Test
    void aFlippedByteIsNamedByARestoreWithoutAnAgentAndHidesNoOtherImage() throws IOException {
        sites.stopAgent();
        flip(sites.repository().resolve("containers/00000/00000001.container"), 64 + 84 + 1000);
        Path to = folder.resolve("restored");
        Sites.Result restore = sites.withoutAgent("restore", "vm", "--to", to.toString());
        assertThat(restore.exitCode()).isEqualTo(1);
        assertThat(restore.err())
                .containsPattern("chunk [0-9a-f]{64}")
                .contains("containers/00000/00000001.container: damaged at offset 64");
        assertThat(to).doesNotExist();
        assertThat(sites.repository().resolve("damaged")).exists();
        assertThat(sites.withoutAgent("restore", "other", "--to", to.toString()).exitCode())
                .isZero();
        assertThat(Sites.sha256(to)).isEqualTo(Sites.sha256(other));
    }

    @Test
    void aCollectionThatCannotReadWhatItWouldCopyLeavesItAndFails() throws IOException {
        assertThat(sites.stopAgent()).isZero();
        flip(sites.repository().resolve("containers/00000/00000001.container"), 64 + 84 + 1000);
        sites.startAgent();
        assertThat(sites.here("prune", "--id", "2", "--gc").exitCode())
                .as("space is released beside what is damaged, which isn't read")
                .isZero();
        Sites.Result collected = sites.here("gc", "--min-garbage", "0");
        assertThat(collected.exitCode()).isEqualTo(1);
        assertThat(collected.err()).contains("left as it is").contains("00000001.container");
        assertThat(sites.here("list").out()).contains("vm").doesNotContain("other");
    }

    @Test
    void aTruncatedContainerIsNamedByTheAgentWhenItStarts() throws IOException {
        sites.stopAgent();
        Path container = sites.repository().resolve("containers/00000/00000001.container");
        byte[] bytes = Files.readAllBytes(container);
        Files.write(container, java.util.Arrays.copyOf(bytes, bytes.length - 1));
        assertThatThrownBy(sites::startAgent)
                .hasMessageContaining("containers/00000/00000001.container: damaged at offset " + (bytes.length - 1));
    }

    @Test
    void aDamagedSnapshotIsNamedAndHidesNoOther() throws IOException {
        flip(sites.repository().resolve("snapshots/site1/vm/0000000000000001.snapshot"), 20);
        assertThat(sites.here("list").out()).contains("other");
        assertThat(sites.here("restore", "vm", "--to", folder + "/x").exitCode())
                .isEqualTo(1);
        Sites.Result verify = sites.here("verify");
        assertThat(verify.exitCode()).isEqualTo(1);
        assertThat(verify.err()).contains("snapshots/site1/vm/0000000000000001.snapshot: damaged at offset");
        assertOtherRestores();
    }

    @Test
    void aDamagedPointerIsNamedBeforeAnythingIsRestored() throws IOException {
        flip(sites.repository().resolve("snapshots/site1/vm/0000000000000001.snapshot"), 200);
        Sites.Result restore = sites.here("restore", "vm", "--to", folder + "/x");
        assertThat(restore.exitCode()).isEqualTo(1);
        assertThat(restore.err()).contains("snapshots/site1/vm/0000000000000001.snapshot: damaged at offset");
        assertThat(folder.resolve("x")).doesNotExist();
    }

    @InTurn(days = 3)
    @Test
    void aDamagedIndexStopsTheAgentAndIsMadeAgain() throws IOException {
        sites.stopAgent();
        Path index = sites.repository().resolve("index/manifest");
        flip(index, 70);
        assertThatThrownBy(sites::startAgent).hasMessageContaining("rebuild-index --repo " + sites.repository());
        assertThat(sites.agentCommand(
                                "rebuild-index", "--repo", sites.repository().toString())
                        .exitCode())
                .isZero();
        sites.startAgent();
        assertThat(sites.here("verify").out()).contains("all good");
        assertOtherRestores();
    }

    @Test
    void aSecondAgentOnTheSameRepositoryIsRefused() throws IOException {
        Path certs = folder.resolve("certs");
        Sites.Result second = sites.agentCommand(
                "serve",
                "--repo",
                sites.repository().toString(),
                "--listen",
                "127.0.0.1:0",
                "--cert",
                certs + "/agent.crt",
                "--key",
                certs + "/agent.key",
                "--ca",
                certs + "/ca.crt");
        assertThat(second.exitCode()).isEqualTo(1);
        assertThat(second.err()).contains("is in use by process " + sites.agentPid());
    }
}
