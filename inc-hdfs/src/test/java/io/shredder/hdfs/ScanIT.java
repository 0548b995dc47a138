// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.shredder.chunk.Manifest;
import io.shredder.hdfs.manifest.HdfsManifests;
import io.shredder.hdfs.manifest.ManifestPaths;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsPermission;
import org.junit.jupiter.api.Test;

/** {@code hadoop shredder scan} of files that others wrote, as a job within this process. */
class ScanIT extends ScanCase {

    @Test
    void filesOfAnyLengthGetTheChunksOfAnUploadAndAreProved() throws Exception {
        Random random = new Random(7);
        List<Integer> lengths = new ArrayList<>(List.of(0, 1, 1023, BLOCK - 1, BLOCK, BLOCK + 1, 5 * BLOCK + 4321));
        for (int i = 0; i < 2; i++) {
            lengths.add(random.nextInt(3 * BLOCK));
        }
        for (int length : lengths) {
            put(Arrays.copyOf(TextFiles.lines(length + 1, length), length), "/upload/deep/er/" + length);
        }
        ShellRun dry = scan("/upload");
        assertThat(dry.err()).isEmpty();
        assertThat(dry.exitCode()).isZero();
        assertThat(dry.outLines()).hasSize(lengths.size() + 1);
        assertThat(names("/upload/deep/er")).as("nothing was to be written").hasSize(lengths.size());

        ShellRun run = scan("--write", "/upload/deep");
        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        for (int length : lengths) {
            String file = "/upload/deep/er/" + length;
            assertThat(run.out()).contains(file + ": " + String.format("%,d bytes", length));
            Manifest manifest = manifest(file);
            assertThat(manifest.recordFormat()).isEqualTo("text");
            assertThat(manifest.chunks()).isEqualTo(uploaded(read(file), "" + length));
            assertThat(ShellRun.of(conf, "-verifyChunks", file).exitCode()).isZero();
        }
        assertThat(fs.globStatus(path("/user/*/.shredder-scan-*"))).isEmpty();
    }

    @Test
    void aFileInPartsOfSeveralTasksHasTheChunksOfTheWhole() throws Exception {
        byte[] content = TextFiles.lines(5 * BLOCK, 3);
        conf.set("inc-hdfs.scan.part", "1m");
        put(content, "/upload/a");
        ShellRun run = scan("--write", "-inputFormat", "raw", "/upload/a");
        assertThat(run.err()).isEmpty();
        assertThat(run.out()).contains("in 6 tasks");
        assertThat(manifest("/upload/a").chunks()).isEqualTo(uploaded(content, "a", "-inputFormat", "raw"));
    }

    @Test
    void whatHasAManifestIsLeftOutUnlessItIsToBeReplacedAndAChangedFileIsScannedAgain() throws Exception {
        put(TextFiles.lines(BLOCK, 1), "/upload/a");
        put(TextFiles.lines(BLOCK, 2), "/upload/b");
        assertThat(scan("--write", "/upload").exitCode()).isZero();
        byte[] longer = TextFiles.lines(2 * BLOCK, 4);
        put(longer, "/upload/b");
        ShellRun again = scan("--write", "/upload");
        assertThat(again.outLines().get(0)).contains("/upload/a: left out: it has a manifest");
        assertThat(again.outLines())
                .hasSize(3)
                .last()
                .asString()
                .contains("/upload/b: ")
                .contains("manifest written");
        assertThat(manifest("/upload/b").chunks()).isEqualTo(uploaded(longer, "b"));
        ShellRun other = scan("--write", "-inputFormat", "raw", "/upload/a");
        assertThat(other.out()).contains("other chunks: -f replaces it");
        assertThat(scan("--write", "-f", "-inputFormat", "raw", "/upload/a").exitCode())
                .isZero();
        assertThat(manifest("/upload/a").recordFormat()).isEqualTo(Manifest.RAW);
    }

    @Test
    void whatCannotHaveOneIsNamedAndTheOthersGetTheirs() throws Exception {
        put(TextFiles.lines(BLOCK, 1), "/upload/a");
        put(TextFiles.lines(BLOCK, 1), "/upload/uploading");
        fs.mkdirs(ManifestPaths.uploadFolder(path("/upload/uploading")));
        put(TextFiles.lines(BLOCK, 1), "/upload/.hidden/a");
        put(TextFiles.lines(BLOCK, 1), "/upload/_logs/a");
        try (FSDataOutputStream open = fs.create(path("/upload/open"))) {
            open.write(1);
            open.hflush();
            ShellRun run = scan("--write", "/upload", "/upload/a");
            assertThat(run.exitCode()).isEqualTo(1);
            assertThat(run.err()).contains("/upload/uploading: it is being uploaded anew");
            assertThat(run.out())
                    .contains("/upload/open: left out: it is being written")
                    .contains("/upload/a: ")
                    .doesNotContain("hidden")
                    .doesNotContain("_logs");
        }
        assertThat(manifest("/upload/a").chunks()).isNotEmpty();
    }

    @Test
    void whoMayNotReadTheFileMayNotReadItsManifest() throws Exception {
        put(TextFiles.lines(BLOCK / 2, 1), "/upload/a");
        fs.setPermission(path("/upload/a"), new FsPermission((short) 0640));
        fs.modifyAclEntries(path("/upload/a"), AclEntry.parseAclSpec("user:carol:r--", true));
        assertThat(scan("--write", "/upload/a").exitCode()).isZero();
        org.apache.hadoop.fs.Path manifest = ManifestPaths.of(path("/upload/a"));
        assertThat(fs.getFileStatus(manifest).getPermission())
                .isEqualTo(fs.getFileStatus(path("/upload/a")).getPermission());
        assertThat(fs.getAclStatus(manifest).getEntries())
                .isEqualTo(fs.getAclStatus(path("/upload/a")).getEntries());
    }

    @Test
    void wordsThatMakeNoSenseAreRefused() throws Exception {
        assertThat(scan().exitCode()).isEqualTo(2);
        assertThat(scan("--wrong", "/upload").exitCode()).isEqualTo(2);
        assertThat(scan("-blockAvg", "1m", "/upload").err()).contains("-blockAvg is for uploads");
        assertThat(scan("/upload/none").err()).contains("/upload/none isn't there");
        assertThat(scan(local.toUri().toString()).err()).contains("is not in HDFS");
        assertThat(scan("--help").out()).contains("--write");
        assertThat(scan("-gpus", "1", "/upload").err()).contains("mapreduce.framework.name is local");
        assertThat(scan("-gpus", "1", "-backend", "cpu", "/upload").err())
                .contains("leave one of -gpus and -backend out");
        assertThat(scan("-gpus", "0", "/upload").exitCode()).isEqualTo(2);
        assertThat(command("--verify", "-gpus", "1", "/upload").err()).contains("which computes on CPUs");
        assertThat(scan("/upload").exitCode()).as("an empty folder").isZero();
    }

    @Test
    void aFileThatChangesWhileItIsScannedHasNoManifestThatMayBeUsed() throws Exception {
        put(TextFiles.lines(BLOCK, 1), "/upload/a");
        assertThat(scan("--write", "/upload/a").exitCode()).isZero();
        try (FSDataOutputStream out = fs.append(path("/upload/a"))) {
            out.write('x');
        }
        assertThat(HdfsManifests.find(fs, path("/upload/a")).reason()).contains("stale");
    }

    @Test
    void jsonSaysWhatTheLinesSay() throws Exception {
        put(TextFiles.lines(BLOCK / 4, 1), "/upload/a");
        put(TextFiles.lines(BLOCK / 4, 1), "/upload/uploading");
        fs.mkdirs(ManifestPaths.uploadFolder(path("/upload/uploading")));
        assertThat(scan("--write", "/upload/a").exitCode()).isZero();
        put(TextFiles.lines(BLOCK / 4, 2), "/upload/b");
        ShellRun run = scan("--write", "--json", "/upload");
        assertThat(run.exitCode()).isEqualTo(1);
        JsonNode document = new ObjectMapper().readTree(run.out());
        assertThat(document.get("version").asInt()).isEqualTo(1);
        assertThat(document.get("task").asText()).isEqualTo("write");
        assertThat(document.get("files").asInt()).isEqualTo(2);
        assertThat(document.get("leftOut").get(0).get("path").asText()).endsWith("/upload/a");
        assertThat(document.get("leftOut").get(0).get("reason").asText()).isEqualTo("it has a manifest");
        JsonNode written = document.get("results").get(0);
        assertThat(written.get("path").asText()).endsWith("/upload/b");
        assertThat(written.get("manifestWritten").asBoolean()).isTrue();
        assertThat(written.get("chunks").asInt())
                .isEqualTo(manifest("/upload/b").chunks().size());
        assertThat(document.get("results").get(1).get("failure").asText()).startsWith("it is being uploaded anew");
    }
}
