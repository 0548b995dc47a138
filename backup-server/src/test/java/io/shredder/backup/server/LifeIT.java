// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** From backup to prune and collection, between real processes. */
class LifeIT {

    private static final String ALL_RIGHTS = "clients: {site1: {rights: [append, restore, prune], quota: 30m}}";
    private static final String NO_PRUNE = "clients: {site1: {rights: [append, restore]}}";

    @TempDir
    private Path folder;

    private Sites sites;
    private Path rights;

    @BeforeEach
    void start() throws IOException {
        sites = new Sites(folder);
        rights = Files.writeString(folder.resolve("rights.yaml"), NO_PRUNE);
        sites.serveWith("--rights", rights.toString());
        sites.startAgent();
    }

    @AfterEach
    void stop() throws IOException {
        sites.close();
    }

    private Sites.Result ok(String... arguments) throws IOException {
        Sites.Result result = sites.here(arguments);
        assertThat(result.exitCode()).as(result.err()).isZero();
        return result;
    }

    private JsonNode json(String... arguments) throws IOException {
        return new ObjectMapper().readTree(ok(arguments).out());
    }

    private void assertFails(int exitCode, String text, String... arguments) throws IOException {
        Sites.Result result = sites.here(arguments);
        assertThat(result.exitCode()).isEqualTo(exitCode);
        assertThat(result.err().lines()).singleElement().asString().contains(text);
    }

    private Path image(int seed, long bytes) throws IOException {
        Path image = folder.resolve("image" + seed);
        Sites.random(image, new Random(seed), bytes);
        return image;
    }

    @Test
    void snapshotsArePrunedByRulesAndTheirSpaceComesBackWhileTheRestStays() throws IOException {
        Path first = image(1, 6 << 20);
        Path second = image(2, 4 << 20);
        ok("backup", first.toString(), "--name", "vm");
        ok("backup", second.toString(), "--name", "vm");
        ok("backup", second.toString(), "--name", "other");

        assertFails(1, "lacks the right 'prune'", "prune", "--keep-last", "1");
        assertFails(1, "lacks the right 'prune'", "gc");
        Files.writeString(rights, ALL_RIGHTS);
        assertFails(2, "nothing says what to keep", "prune");
        assertFails(2, "--keep-last 0 is below 1", "prune", "--keep-last", "0");
        assertFails(1, "no snapshot of 'nobody'", "prune", "nobody", "--keep-last", "1");

        assertThat(json("prune", "--keep-last", "1", "--dry-run", "--json").get("deleted"))
                .hasSize(1);
        assertThat(ok("list").out().lines()).hasSize(3);
        JsonNode before = json("stats", "--json");
        assertThat(before.get("snapshots").asInt()).isEqualTo(3);
        assertThat(before.get("quotaBytes").asLong()).isEqualTo(30L << 20);

        JsonNode pruned = json("prune", "--keep-last", "1", "--json", "--gc");
        assertThat(pruned.get("deleted").get(0).asLong()).isEqualTo(1);
        assertThat(pruned.get("kept")).hasSize(2);
        assertThat(pruned.get("gc").get("freedBytes").asLong()).isBetween((6L << 20) - 8192, (6L << 20) + 100_000);
        JsonNode after = json("stats", "--json");
        assertThat(before.get("containerBytes").asLong()
                        - after.get("containerBytes").asLong())
                .isEqualTo(pruned.get("gc").get("freedBytes").asLong());
        assertThat(json("gc", "--dry-run", "--json").get("garbageBytes").asLong())
                .as("the first and last blocks of what was released")
                .isLessThan(100_000);

        ok("backup", first.toString(), "--name", "short-lived");
        JsonNode twice = json("prune", "--id", "4,4", "--dry-run", "--json");
        assertThat(twice.get("deleted")).hasSize(1);

        sites.killAgent();
        sites.startAgent();
        Path to = folder.resolve("restored");
        ok("restore", "vm", "--to", to.toString());
        assertThat(Sites.sha256(to)).isEqualTo(Sites.sha256(second));
        assertThat(ok("verify").out()).contains("all good");
        assertThat(List.of(Files.readString(sites.repository().resolve("audit.log"))
                        .split("\n")))
                .hasSize(6)
                .satisfies(lines -> assertThat(lines.subList(1, 3))
                        .allMatch(line ->
                                line.contains("\"event\":\"refused\"") && line.contains("\"client\":\"site1\"")))
                .satisfies(lines -> assertThat(lines.get(3)).contains("\"event\":\"snapshot-delete\""))
                .satisfies(lines -> assertThat(lines.get(4)).contains("\"event\":\"pack-delete\""))
                .satisfies(lines -> assertThat(lines.get(5)).contains("\"event\":\"space-release\""));

        assertFails(1, "raise its quota", "backup", image(3, 30 << 20).toString(), "--name", "big");
        Files.writeString(rights, "clients: {site2: {rights: [append]}}");
        assertFails(1, "client site1 has no rights here", "list");
    }
}
