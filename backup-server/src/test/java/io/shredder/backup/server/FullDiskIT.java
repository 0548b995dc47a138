// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shredder.chunk.InTurn;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A disk that is really full: a small tmpfs where one may mount, and a limit of file size everywhere. */
class FullDiskIT {

    @TempDir
    private Path folder;

    private static int run(String... command) throws Exception {
        return new ProcessBuilder(command).redirectErrorStream(true).start().waitFor();
    }

    private void assertRestores(Sites sites, String snapshot, Path image) throws IOException {
        Path to = folder.resolve("restored");
        Sites.Result result = sites.here("restore", snapshot, "--to", to.toString(), "--force");
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(Sites.sha256(to)).isEqualTo(Sites.sha256(image));
    }

    private void assertFullThenReadable(Sites sites, Path small, Path large) throws IOException {
        assertThat(sites.here("backup", small.toString(), "--name", "small").exitCode())
                .isZero();
        Sites.Result full = sites.here("backup", large.toString(), "--name", "large");
        assertThat(full.exitCode()).isEqualTo(1);
        assertThat(full.err().lines()).hasSize(1);
        assertThat(full.err()).contains("the agent's disk is full").contains("free or add space there, then run again");
        assertThat(sites.here("list").out().lines()).hasSize(1);
        assertRestores(sites, "small", small);
        assertThat(sites.here("verify").exitCode()).isZero();
    }

    private static void assertPruneMakesRoom(Sites sites) throws IOException {
        List<String> ids = new ArrayList<>();
        for (JsonNode snapshot :
                new ObjectMapper().readTree(sites.here("list", "--json").out()).get("snapshots")) {
            ids.add(snapshot.get("id").asText());
        }
        Sites.Result pruned = sites.here("prune", "--id", String.join(",", ids), "--gc", "--json");
        assertThat(pruned.exitCode()).as(pruned.err()).isZero();
        JsonNode collected = new ObjectMapper().readTree(pruned.out()).get("gc");
        assertThat(collected.get("freedBytes").asLong()).isGreaterThan(45L << 20);
    }

    /** Takes the last byte of space. */
    private static void fill(Path file) throws IOException {
        try (var out = Files.newOutputStream(file)) {
            while (true) {
                out.write(new byte[512]);
            }
        } catch (IOException e) {
            assertThat(e).hasMessageContaining("No space left");
        }
    }

    @Test
    void aFullFileSystemLosesNothingAndWithMoreSpaceTheBackupSucceeds() throws Exception {
        Path disk = Files.createDirectory(folder.resolve("disk"));
        boolean mounted = run("mount", "-t", "tmpfs", "-o", "size=24m", "tmpfs", disk.toString()) == 0;
        assumeThat(mounted).as("mounting needs root").isTrue();
        Path small = folder.resolve("small");
        Path large = folder.resolve("large");
        Sites.random(small, new Random(1), 6 << 20);
        Sites.random(large, new Random(2), 40 << 20);
        Path rights = Files.writeString(folder.resolve("rights.yaml"), "others: {rights: [append, restore, prune]}");
        try (Sites sites = new Sites(folder, disk.resolve("repo"))) {
            sites.serveWith("--rights", rights.toString());
            sites.startAgent();
            assertFullThenReadable(sites, small, large);
            sites.killAgent();
            fill(disk.resolve("filler"));
            sites.startAgent();
            assertRestores(sites, "small", small);
            assertThat(run("mount", "-o", "remount,size=200m", disk.toString())).isZero();
            assertThat(sites.here("backup", large.toString(), "--name", "large").exitCode())
                    .isZero();
            assertRestores(sites, "large", large);
            assertRestores(sites, "small", small);
            fill(disk.resolve("more"));
            assertPruneMakesRoom(sites);
            assertThat(sites.here("backup", small.toString(), "--name", "small").exitCode())
                    .as("its last snapshot was pruned by id")
                    .isEqualTo(3);
            assertThat(sites.here("accept", "small").exitCode()).isZero();
            assertThat(sites.here("backup", small.toString(), "--name", "small").exitCode())
                    .isZero();
            assertRestores(sites, "small", small);
        } finally {
            run("umount", disk.toString());
        }
    }

    @InTurn(days = 3)
    @Test
    void aFileThatMayNotGrowCountsAsFull() throws Exception {
        Path small = folder.resolve("small");
        Path large = folder.resolve("large");
        Sites.random(small, new Random(1), 3 << 20);
        Sites.random(large, new Random(2), 20 << 20);
        try (Sites sites = new Sites(folder)) {
            sites.startAgent("bash", "-c", "ulimit -f 8192; exec \"$@\"", "limited");
            assertFullThenReadable(sites, small, large);
            assertThat(sites.stopAgent()).isZero();
            sites.startAgent();
            assertThat(sites.here("backup", large.toString(), "--name", "large").exitCode())
                    .isZero();
            assertRestores(sites, "large", large);
        }
    }
}
