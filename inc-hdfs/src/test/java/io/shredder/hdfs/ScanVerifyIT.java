// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shredder.chunk.Chunk;
import io.shredder.chunk.InTurn;
import io.shredder.chunk.Manifest;
import io.shredder.hdfs.manifest.ManifestPaths;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.StreamSupport;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.hdfs.protocol.HdfsFileStatus;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** {@code hadoop shredder scan --verify}: every chunk of every file against its manifest. */
class ScanVerifyIT extends ScanCase {

    private byte[] content;

    @BeforeEach
    void scanTwoFiles() throws Exception {
        content = TextFiles.lines(4 * BLOCK, 1);
        put(content, "/upload/a");
        put(TextFiles.lines(BLOCK / 2, 2), "/upload/deep/b");
        put(new byte[0], "/upload/empty");
        conf.set("inc-hdfs.scan.part", "1m");
        assertThat(scan("--write", "/upload").exitCode()).isZero();
    }

    @InTurn(days = 2)
    @Test
    void filesThatAreWhatTheirManifestsSayAreVerifiedPartByPart() throws Exception {
        ShellRun run = command("--verify", "/upload");
        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.outLines()).hasSize(5);
        assertThat(run.outLines().get(0)).contains("scanning 3 files").containsPattern("in [67] tasks");
        assertThat(run.out())
                .contains(String.format(
                        "/upload/a: %,d bytes, %,d chunks, verified\n",
                        content.length, manifest("/upload/a").chunks().size()))
                .contains("/upload/empty: 0 bytes, 0 chunks, verified\n")
                .endsWith("3 files verified, 0 damaged, 0 stale, 0 without a manifest, 0 could not be read\n");
    }

    /** A file of these bytes, with the manifest of what they were made of. */
    private void forge(String file, byte[] bytes) throws IOException {
        Manifest manifest = manifest("/upload/a");
        put(bytes, file);
        bind(file, manifest.withFileId(((HdfsFileStatus) fs.getFileStatus(path(file))).getFileId()));
    }

    private static Chunk at(Manifest manifest, long offset) {
        return manifest.chunks().stream()
                .filter(chunk -> chunk.offset() <= offset && offset < chunk.end())
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aByteThatIsAnotherIsFoundWithItsChunkInWhicheverPart() throws Exception {
        Manifest manifest = manifest("/upload/a");
        List<String> expected = new ArrayList<>();
        for (int where : new int[] {0, BLOCK - 1, BLOCK, 3 * BLOCK + 17, content.length - 1}) {
            byte[] flipped = content.clone();
            flipped[where] ^= 1;
            forge("/upload/flipped/" + where, flipped);
            Chunk wrong = at(manifest, where);
            expected.add("scan: " + fs.makeQualified(path("/upload/flipped/" + where)) + ": DAMAGED: the chunk at "
                    + wrong.offset() + " of " + wrong.length() + " bytes is not what the manifest says; 1 of "
                    + manifest.chunks().size() + " chunks differ");
        }
        ShellRun run = command("--verify", "/upload/flipped");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.errLines()).containsExactlyInAnyOrderElementsOf(expected);
    }

    @InTurn(days = 3)
    @Test
    void theFirstOfSeveralIsNamedAndAllAreCounted() throws Exception {
        byte[] flipped = content.clone();
        for (int where = BLOCK / 2; where < 4 * BLOCK; where += BLOCK) {
            flipped[where] ^= 0x20;
        }
        Chunk first = at(manifest("/upload/a"), BLOCK / 2);
        forge("/upload/Flipped", flipped);
        JsonNode document = new ObjectMapper()
                .readTree(command("--verify", "--json", "/upload").out());
        JsonNode damaged = document.get("results").get(0);
        assertThat(damaged.get("state").asText()).isEqualTo("damaged");
        assertThat(damaged.get("differing").asLong()).isEqualTo(4);
        assertThat(damaged.get("chunks").asLong())
                .isEqualTo(manifest("/upload/a").chunks().size());
        assertThat(damaged.get("firstDiffering").get("offset").asLong()).isEqualTo(first.offset());
        assertThat(damaged.get("firstDiffering").get("length").asLong()).isEqualTo(first.length());
        assertThat(document.get("counts").get("verified").asLong()).isEqualTo(3);
        assertThat(document.get("counts").get("damaged").asLong()).isEqualTo(1);
    }

    @Test
    void whatIsStaleOrDamagedOrHasNoneIsToldApart() throws Exception {
        try (FSDataOutputStream out = fs.append(path("/upload/a"))) {
            out.write('x');
        }
        byte[] manifest = read(ManifestPaths.of(path("/upload/deep/b")).toString());
        manifest[manifest.length / 2] ^= 1;
        try (FSDataOutputStream out = fs.create(ManifestPaths.of(path("/upload/deep/b")), true)) {
            out.write(manifest);
        }
        put(TextFiles.lines(BLOCK / 9, 3), "/upload/plain");
        ShellRun noManifest = command("--verify", "/upload/plain", "/upload/empty");
        assertThat(noManifest.exitCode())
                .as("no error: nobody said that it has one")
                .isZero();
        assertThat(noManifest.out()).contains("/upload/plain: no manifest\n").contains("1 files verified, 0 damaged");
        ShellRun run = command("--verify", "--json", "/upload");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.err()).isEmpty();
        JsonNode document = new ObjectMapper().readTree(run.out());
        assertThat(document.get("task").asText()).isEqualTo("verify");
        assertThat(document.get("files").asLong()).isEqualTo(4);
        Map<String, String> states = StreamSupport.stream(
                        document.get("results").spliterator(), false)
                .collect(Collectors.toMap(
                        file -> file.get("path").asText().replaceFirst(".*/", ""),
                        file -> file.get("state").asText()));
        assertThat(states).isEqualTo(Map.of("a", "stale", "b", "damaged", "empty", "verified", "plain", "noManifest"));
        assertThat(run.out()).contains("its manifest is damaged: ").contains("the file's length has changed");
    }

    @InTurn(days = 3)
    @Test
    void whatGoesByManifestsTakesNoOptionsOfCutting() throws Exception {
        assertThat(scan("--verify", "/upload").err()).contains("-avg 4k is not for --verify");
        assertThat(command("--verify", "--write", "/upload").exitCode()).isEqualTo(2);
        assertThat(names("/upload/deep")).containsExactly(".b.shredder-manifest", "b");
    }
}
