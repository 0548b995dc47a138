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
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Equal chunks have equal digests only: a series keeps its own, others take that of the client's newest snapshot. */
class DigestChoiceIT {

    @TempDir
    private Path folder;

    private Sites sites;
    private Path image;
    private Path changed;

    @BeforeEach
    void start() throws IOException {
        sites = new Sites(folder);
        sites.startAgent();
        image = folder.resolve("image");
        Sites.random(image, new Random(1), 6 << 20);
        changed = Files.copy(image, folder.resolve("changed"));
        try (RandomAccessFile file = new RandomAccessFile(changed.toFile(), "rw")) {
            file.seek(4 << 20);
            file.write(new byte[1000]);
        }
    }

    @AfterEach
    void stop() throws IOException {
        sites.close();
    }

    private JsonNode ok(String... words) throws IOException {
        List<String> all = new ArrayList<>(List.of(words));
        all.add("--json");
        Sites.Result result = sites.here(all.toArray(String[]::new));
        assertThat(result.exitCode()).as(result.err()).isZero();
        return new ObjectMapper().readTree(result.out());
    }

    private long newBytes(Path from, String name, String... more) throws IOException {
        List<String> words = new ArrayList<>(List.of("backup", from.toString(), "--name", name));
        words.addAll(List.of(more));
        return ok(words.toArray(String[]::new)).get("newBytes").asLong();
    }

    private String digestOf(String snapshot) throws IOException {
        return ok("show", snapshot).get("digest").asText();
    }

    private void assertRestores(String snapshot, Path expected) throws IOException {
        Path to = folder.resolve("restored");
        ok("restore", snapshot, "--to", to.toString(), "--force");
        assertThat(Files.mismatch(to, expected)).isEqualTo(-1);
    }

    @Test
    void theFirstSnapshotHasBlake3AndAllFollow() throws IOException {
        assertThat(newBytes(image, "one")).isEqualTo(6 << 20);
        assertThat(digestOf("one")).isEqualTo("blake3");
        assertThat(newBytes(image, "two")).isZero();
        assertThat(newBytes(changed, "one")).isBetween(1L, 1L << 20);
        assertRestores("one@1", image);
        assertRestores("one", changed);
    }

    @Test
    void aSeriesKeepsSha256AndOthersFollowIt() throws IOException {
        assertThat(newBytes(image, "one", "--digest", "sha256")).isEqualTo(6 << 20);
        assertThat(digestOf("one")).isEqualTo("sha256");
        assertThat(newBytes(image, "one")).isZero();
        assertThat(newBytes(changed, "one", "--no-cache")).isBetween(1L, 1L << 20);
        assertThat(newBytes(image, "two")).isZero();
        assertThat(digestOf("one")).isEqualTo("sha256");
        assertThat(digestOf("two")).isEqualTo("sha256");
        assertRestores("one@1", image);
        assertRestores("one", changed);
    }

    @Test
    void aSeriesThatTakesUpAnotherDigestIsSentAgainAndAllOfItRestores() throws IOException {
        assertThat(newBytes(image, "one", "--digest", "sha256")).isEqualTo(6 << 20);
        assertThat(newBytes(changed, "one", "--digest", "blake3")).isEqualTo(6 << 20);
        assertThat(newBytes(changed, "one")).isZero();
        assertThat(digestOf("one")).isEqualTo("blake3");
        assertRestores("one@1", image);
        assertRestores("one@2", changed);
        assertRestores("one@3", changed);
        assertThat(sites.here("diff", "one@1", "one@2").err())
                .contains("cut differently (65536 bytes on average, SHA-256 and 65536 bytes on average, BLAKE3)");
        assertThat(sites.here("verify", "one").exitCode()).isZero();
    }

    @Test
    void anUnknownDigestIsWrongUsage() throws IOException {
        Sites.Result result = sites.here("backup", image.toString(), "--name", "one", "--digest", "md5");
        assertThat(result.exitCode()).isEqualTo(2);
        assertThat(result.err()).contains("unknown digest 'md5': use one of sha256, blake3");
    }
}
