// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shredder.backup.seal.ChunkIdentity;
import io.shredder.chunk.Chunk;
import io.shredder.chunk.ChunkingParams;
import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.ReferenceChunker;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Backup and restore between two real processes. */
class BackupRestoreIT {

    private static final int MIB = 1 << 20;

    @TempDir
    private static Path folder;

    private static Sites sites;

    @BeforeAll
    static void start() throws IOException {
        sites = new Sites(folder);
        sites.startAgent();
    }

    @AfterAll
    static void stop() throws IOException {
        sites.close();
    }

    private JsonNode backUp(Path image, String name, String... more) throws IOException {
        String[] arguments = Stream.concat(
                        Stream.of("backup", image.toString(), "--name", name, "--json"), Arrays.stream(more))
                .toArray(String[]::new);
        Sites.Result result = sites.here(arguments);
        assertThat(result.exitCode()).as(result.err()).isZero();
        return new ObjectMapper().readTree(result.out());
    }

    private void assertRestores(String snapshot, Path image) throws IOException {
        Path to = folder.resolve("restored");
        Sites.Result result = sites.here("restore", snapshot, "--to", to.toString(), "--force");
        assertThat(result.exitCode()).as(result.err()).isZero();
        assertThat(Sites.sha256(to)).isEqualTo(Sites.sha256(image));
        assertThat(Files.size(to)).isEqualTo(Files.size(image));
    }

    @Test
    void theSecondVersionSendsOnlyWhatChangedAndBothRestore() throws IOException {
        Path first = folder.resolve("v1.img");
        Path second = folder.resolve("v2.img");
        Sites.random(first, new Random(1), 16 * MIB);
        byte[] bytes = Files.readAllBytes(first);
        byte[] inserted = new byte[1000];
        try (var out = Files.newOutputStream(second)) {
            out.write(bytes, 0, 7 * MIB + 13);
            out.write(inserted);
            out.write(bytes, 7 * MIB + 13, bytes.length - 7 * MIB - 13);
        }
        JsonNode one = backUp(first, "versions");
        assertThat(one.get("bytesSent").asLong()).isGreaterThan(16 * MIB);
        assertThat(one.get("knownChunks").asLong()).isZero();
        JsonNode again = backUp(first, "versions");
        assertThat(again.get("newChunks").asLong()).isZero();
        assertThat(again.get("bytesSent").asLong()).isLessThan(200_000);
        JsonNode two = backUp(second, "versions");
        assertThat(two.get("newChunks").asLong()).isBetween(1L, 4L);
        assertThat(two.get("bytesSent").asLong()).isLessThan(2 * MIB);
        JsonNode anothers = backUp(first, "another-machine");
        assertThat(anothers.get("newChunks").asLong())
                .as("what another series has is kept once")
                .isZero();

        assertRestores("versions@" + one.get("id"), first);
        assertRestores("versions@" + again.get("id"), first);
        assertRestores("versions", second);
        assertRestores("versions@latest", second);
        assertThat(sites.server("verify").out()).contains("all good");
        assertThat(sites.server("verify", "versions@" + again.get("id")).out()).contains("all good");
        assertThat(sites.withoutAgent(
                                "restore",
                                "versions",
                                "--to",
                                folder.resolve("no").toString())
                        .err())
                .contains("in use by process " + sites.agentPid());
        assertThat(sites.stopAgent()).isZero();
        assertReadsWithoutAgent("versions", second);
        sites.startAgent();
        assertRestores("versions", second);
    }

    /** By the repository's own files. */
    private void assertReadsWithoutAgent(String snapshot, Path image) throws IOException {
        Path to = folder.resolve("restored");
        Sites.Result restored = sites.withoutAgent("restore", snapshot, "--to", to.toString(), "--force");
        assertThat(restored.exitCode()).as(restored.err()).isZero();
        assertThat(Sites.sha256(to)).isEqualTo(Sites.sha256(image));
        assertThat(sites.withoutAgent("verify").out()).contains("all good");
        assertThat(sites.withoutAgent("verify", snapshot).out()).contains("all good");
        assertThat(sites.withoutAgent("list").out()).contains(snapshot);
        assertThat(sites.withoutAgent("show", snapshot).exitCode()).isZero();
        assertThat(sites.withoutAgent("stats").out()).contains("site1 (rights: restore)");
        assertThat(sites.withoutAgent("prune", snapshot, "--keep-last", "1").exitCode())
                .isEqualTo(2);
    }

    @Test
    void aCacheThatIsUsedLeftOutOrDamagedMakesNoDifferenceToImages() throws IOException {
        Path image = folder.resolve("cached.img");
        Sites.random(image, new Random(3), 8 * MIB);
        backUp(image, "cached");
        Path cache =
                folder.resolve("cache").resolve(sites.key().id().toString()).resolve("cached.cache");
        byte[] ofFirst = Files.readAllBytes(cache);
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.seek(3 * MIB);
            file.write(1);
            file.setLength(9 * MIB);
        }
        JsonNode withCache = backUp(image, "cached");
        assertThat(withCache.get("newBytes").asLong()).isBetween(4096L, 3 * 262_144L);
        assertThat(Files.readAllBytes(cache)).isNotEqualTo(ofFirst);
        assertRestores("cached", image);
        assertThat(chunks("cached", backUp(image, "cached"))).isEqualTo(chunks("cached", withCache));
        List<String> whole = chunks("cached", backUp(image, "cached", "--no-cache"));
        assertThat(whole).noneMatch(line -> line.contains("from"));
        assertRestores("cached", image);
        byte[] damaged = Files.readAllBytes(cache);
        damaged[damaged.length / 2] ^= 1;
        Files.write(cache, damaged);
        assertThat(chunks("cached", backUp(image, "cached"))).isEqualTo(whole);
        assertThat(Files.readAllBytes(cache)).isNotEqualTo(damaged);
        assertRestores("cached", image);
    }

    @Test
    void aChangedPageCostsAPageGenerationAfterGeneration() throws IOException {
        long seed = Long.getLong("shredder.seed", System.nanoTime());
        System.out.println("seed " + seed + " (again with -Dshredder.seed=" + seed + ")");
        Random random = new Random(seed);
        Path image = folder.resolve("pages.img");
        Sites.random(image, random, 8 * MIB);
        backUp(image, "pages");
        Map<String, Path> generations = new LinkedHashMap<>();
        for (int generation = 1; generation <= 4; generation++) {
            int pages = 5 + random.nextInt(20);
            try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
                for (int i = 0; i < pages; i++) {
                    byte[] page = new byte[4096];
                    random.nextBytes(page);
                    file.seek(random.nextInt(2048) * 4096L);
                    file.write(page);
                }
            }
            JsonNode changed = backUp(image, "pages");
            assertThat(changed.get("newBytes").asLong()).isBetween(4096L, pages * 4096L + 3 * 262_144);
            generations.put("pages@" + changed.get("id"), Files.copy(image, folder.resolve("pages-" + generation)));
            assertThat(backUp(image, "pages").get("newChunks").asLong()).isZero();
        }
        for (Map.Entry<String, Path> generation : generations.entrySet()) {
            assertRestores(generation.getKey(), generation.getValue());
        }
        assertThat(sites.server("verify").out()).contains("all good");
    }

    private List<String> chunks(String name, JsonNode backup) {
        List<String> shown = sites.here("show", name + "@" + backup.get("id"), "--chunks")
                .out()
                .lines()
                .toList();
        return shown.subList(shown.size() - backup.get("chunks").asInt(), shown.size());
    }

    @Test
    void theSnapshotsChunksAreExactlyTheReferenceChunkers() throws IOException {
        Path image = folder.resolve("image");
        byte[] data = new byte[3 * MIB];
        new Random(4).nextBytes(data);
        Arrays.fill(data, MIB, 2 * MIB, (byte) 0);
        Files.write(image, data);
        ChunkIdentity identities = new ChunkIdentity(sites.key(), DigestAlgorithm.BLAKE3);
        for (String backend : List.of("scalar", "cpu")) {
            backUp(image, "cut", "--avg", "16k", "--min", "2k", "--max", "32k", "--backend", backend);
            List<String> expected = ReferenceChunker.chunk(
                            ChunkingParams.builder()
                                    .digest(DigestAlgorithm.BLAKE3)
                                    .averageBytes(16 << 10)
                                    .minBytes(2 << 10)
                                    .maxBytes(32 << 10)
                                    .build(),
                            data)
                    .stream()
                    .map(chunk -> line(chunk, identities))
                    .toList();
            List<String> shown =
                    sites.here("show", "cut", "--chunks").out().lines().toList();
            assertThat(shown.subList(shown.size() - expected.size(), shown.size()))
                    .isEqualTo(expected);
        }
    }

    private static String line(Chunk chunk, ChunkIdentity identities) {
        return chunk.offset() + " " + chunk.length() + " " + identities.of(chunk.fingerprint());
    }

    @Test
    void anEmptyImageIsASnapshotWithoutChunks() throws IOException {
        Path image = Files.createFile(folder.resolve("empty"));
        assertThat(backUp(image, "empty").get("chunks").asLong()).isZero();
        assertRestores("empty", image);
    }

    @Test
    void zerosCostNothingOnTheWireAndComeBackAsHoles() throws IOException {
        Path image = folder.resolve("sparse");
        long length = 100L * MIB + 5;
        try (RandomAccessFile file = new RandomAccessFile(image.toFile(), "rw")) {
            file.setLength(length);
            file.seek(30L * MIB + 77);
            file.write("in the middle of nowhere".getBytes(java.nio.charset.StandardCharsets.US_ASCII));
        }
        JsonNode report = backUp(image, "sparse");
        assertThat(report.get("bytesRead").asLong()).isEqualTo(length);
        assertThat(report.get("bytesSent").asLong()).isLessThan(200_000);
        assertRestores("sparse", image);
        assertThat(allocatedBytes(folder.resolve("restored"))).isLessThan(MIB);
    }

    private static long allocatedBytes(Path file) throws IOException {
        Process stat = new ProcessBuilder("stat", "-c", "%b", file.toString()).start();
        return 512 * Long.parseLong(new String(stat.getInputStream().readAllBytes()).strip());
    }

    @Test
    void aRestoreToStandardOutputIsTheImage() throws IOException {
        Path image = folder.resolve("image");
        byte[] data = new byte[700_000];
        new Random(9).nextBytes(data);
        Arrays.fill(data, 100_000, 600_000, (byte) 0);
        Files.write(image, data);
        backUp(image, "piped");
        Sites.Result result = sites.server("restore", "piped", "--to", "-");
        assertThat(result.out().getBytes(java.nio.charset.StandardCharsets.ISO_8859_1))
                .isEqualTo(data);
    }

    @Test
    void aFileIsReplacedOnlyWhenForcedAndNoTemporaryStays() throws IOException {
        Path image = folder.resolve("image");
        Sites.random(image, new Random(2), 100_000);
        backUp(image, "forced");
        Path out = Files.createDirectory(folder.resolve("out"));
        Path target = Files.writeString(out.resolve("target"), "precious");
        Sites.Result refused = sites.here("restore", "forced", "--to", target.toString());
        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.err()).contains("exists: name another file with --to, or replace it with --force");
        assertThat(target).hasContent("precious");
        assertThat(sites.here("restore", "forced", "--to", target.toString(), "--force")
                        .exitCode())
                .isZero();
        assertThat(Sites.sha256(target)).isEqualTo(Sites.sha256(image));
        assertThat(out.toFile().list()).containsExactly("target");
    }

    @Test
    void listAndShowSayWhatIsThere() throws IOException {
        Path image = folder.resolve("image");
        Sites.random(image, new Random(2), 300_000);
        backUp(image, "a");
        JsonNode second = backUp(image, "b");
        List<String> lines = sites.here("list").out().lines().toList();
        assertThat(lines).filteredOn(line -> line.contains(" a ")).hasSize(1);
        assertThat(lines).filteredOn(line -> line.contains(" b ")).hasSize(1);
        JsonNode list = new ObjectMapper().readTree(sites.here("list", "--json").out());
        assertThat(list.get("snapshots")).hasSameSizeAs(lines);
        assertThat(list.get("damaged")).isEmpty();
        assertThat(sites.here("list", "b", "a").out().lines().map(line -> line.strip()
                        .split(" +")[1]))
                .containsExactly("b", "a");
        assertThat(sites.here("list", "c").err()).contains("there is no snapshot of 'c'");
        JsonNode show =
                new ObjectMapper().readTree(sites.here("show", "b", "--json").out());
        assertThat(show.get("id")).isEqualTo(second.get("id"));
        assertThat(show.get("imageBytes").asLong()).isEqualTo(300_000);
    }
}
