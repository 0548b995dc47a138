// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.chunk.Chunk;
import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import io.shredder.chunk.Manifest;
import io.shredder.chunk.binding.BlockLayout;
import io.shredder.hdfs.upload.BlockPlan;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FileStatus;
import org.junit.jupiter.api.Test;

/** Uploads to a NameNode and three DataNodes. */
class UploadIT extends HdfsCase {

    @Test
    void anUploadIsAnOrdinaryFileWhoseBlocksAreSegmentsThatEndAtLineEnds() throws Exception {
        byte[] data = TextFiles.lines(3 << 20, 1);
        upload(write("a.txt", data), "/upload/a.txt");

        assertThat(read("/upload/a.txt")).isEqualTo(data);
        Manifest manifest = manifest("/upload/a.txt");
        assertThat(blockLengths("/upload/a.txt")).isEqualTo(manifest.segmentLengths());
        assertThat(manifest.segmentLengths()).hasSizeGreaterThan(8);
        for (Chunk chunk : manifest.chunks()) {
            assertThat(data[(int) chunk.end() - 1]).isEqualTo((byte) '\n');
            assertThat(chunk.fingerprint())
                    .isEqualTo(Fingerprint.ofData(ByteBuffer.wrap(data, (int) chunk.offset(), chunk.length())));
        }
        assertThat(fs.getFileStatus(path("/upload/a.txt")).getBlockSize())
                .isEqualTo((512 << 10) + BlockPlan.HEADROOM_BYTES);
    }

    @Test
    void aSecondVersionSharesItsChunksAndBlocksButForTheEdit() throws Exception {
        byte[] data = TextFiles.lines(3 << 20, 2);
        upload(write("v1", data), "/upload/v1");
        upload(write("v2", TextFiles.inserted(data, data.length / 2, "an inserted line\n")), "/upload/v2");

        ShellRun diff = ShellRun.of(conf, "-chunkDiff", "/upload/v1", "/upload/v2");
        assertThat(diff.exitCode()).isZero();
        String[] chunks = diff.outLines().get(0).split("\t");
        String[] blocks = diff.outLines().get(1).split("\t");
        assertThat(chunks[0]).isEqualTo("chunks");
        assertThat(Long.parseLong(chunks[2]) - Long.parseLong(chunks[1])).isBetween(1L, 3L);
        assertThat(blocks[0]).isEqualTo("blocks");
        assertThat(Long.parseLong(blocks[2]) - Long.parseLong(blocks[1])).isBetween(1L, 2L);
        assertThat(Double.parseDouble(chunks[5])).isGreaterThan(99);
    }

    @Test
    void chunksHaveBlake3DigestsWhereTheyAreAskedForAndAreNotComparedWithOthers() throws Exception {
        byte[] data = TextFiles.lines(300_000, 5);
        Path source = write("digests", data);
        ShellRun run = shell("-digest", "blake3", source.toString(), "/upload/blake3");
        assertThat(run.exitCode()).as(run.err()).isZero();
        upload(source, "/upload/sha256");

        Manifest manifest = manifest("/upload/blake3");
        assertThat(manifest.params().digest()).isEqualTo(DigestAlgorithm.BLAKE3);
        for (Chunk chunk : manifest.chunks()) {
            ByteBuffer bytes = ByteBuffer.wrap(data, (int) chunk.offset(), chunk.length());
            assertThat(chunk.fingerprint()).isEqualTo(Fingerprint.ofData(DigestAlgorithm.BLAKE3, bytes));
        }
        ShellRun diff = ShellRun.of(conf, "-chunkDiff", "/upload/sha256", "/upload/blake3");
        assertThat(diff.exitCode()).isEqualTo(1);
        assertThat(diff.err())
                .contains("BLAKE3 digests", "/upload/sha256 have SHA-256: upload it again with -digest sha256");
    }

    @Test
    void chunksListsWhatTheManifestHolds() throws Exception {
        upload(write("a", TextFiles.lines(200_000, 3)), "/upload/a");
        List<String> expected = manifest("/upload/a").chunks().stream()
                .map(chunk -> chunk.offset() + "\t" + chunk.length() + "\t" + chunk.fingerprint() + "\t"
                        + (chunk.segmentEnd() ? "block-end" : "-"))
                .toList();
        ShellRun run = ShellRun.of(conf, "-chunks", "/upload/a");
        assertThat(run.exitCode()).isZero();
        assertThat(run.outLines()).isEqualTo(expected);
    }

    @Test
    void anExistingFileIsKeptWithoutForceAndReplacedWithIt() throws Exception {
        byte[] old = TextFiles.lines(50_000, 4);
        byte[] young = TextFiles.lines(60_000, 5);
        upload(write("old", old), "/upload/a");

        ShellRun refused = run(write("young", young), "/upload/a");
        assertThat(refused.exitCode()).isEqualTo(1);
        assertThat(refused.errLines()).containsExactly("copyFromLocalGPU: `/upload/a': File exists");
        assertThat(read("/upload/a")).isEqualTo(old);

        ShellRun forced = shell("-f", write("young", young).toString(), "/upload/a");
        assertThat(forced.exitCode()).isZero();
        assertThat(read("/upload/a")).isEqualTo(young);
        assertThat(manifest("/upload/a").length()).isEqualTo(young.length);
        assertThat(names("/upload")).containsExactlyInAnyOrder("a", ".a.shredder-manifest");
    }

    @Test
    void preserveKeepsTimesAndModeAndHidesTheManifestAsWell() throws Exception {
        Path source = write("secret", TextFiles.lines(10_000, 6));
        Files.setPosixFilePermissions(source, PosixFilePermissions.fromString("rw-------"));
        Files.setLastModifiedTime(source, FileTime.fromMillis(1_600_000_000_000L));

        assertThat(shell("-p", source.toString(), "/upload/secret").exitCode()).isZero();

        FileStatus status = fs.getFileStatus(path("/upload/secret"));
        assertThat(status.getModificationTime()).isEqualTo(1_600_000_000_000L);
        assertThat(status.getPermission().toString()).isEqualTo("rw-------");
        assertThat(fs.getFileStatus(path("/upload/.secret.shredder-manifest"))
                        .getPermission()
                        .toString())
                .isEqualTo("rw-------");
        assertThat(manifest("/upload/secret").length()).isEqualTo(Files.size(source));
    }

    @Test
    void severalSourcesAndWholeFoldersAreCopiedLikeCopyFromLocalDoes() throws Exception {
        Files.createDirectories(local.resolve("tree/inner"));
        byte[] one = TextFiles.lines(10_000, 7);
        write("tree/one", one);
        byte[] two = TextFiles.lines(20_000, 8);
        write("tree/inner/two", two);
        byte[] single = TextFiles.lines(30_000, 9);

        ShellRun run =
                shell(local.resolve("tree").toString(), write("single", single).toString(), "/upload");

        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(read("/upload/tree/one")).isEqualTo(one);
        assertThat(read("/upload/tree/inner/two")).isEqualTo(two);
        assertThat(read("/upload/single")).isEqualTo(single);
        assertThat(manifest("/upload/tree/inner/two").length()).isEqualTo(two.length);
        assertThat(run.outLines()).hasSize(3);
    }

    @Test
    void anEmptyFileBecomesAnEmptyFileWithAnEmptyManifest() throws Exception {
        upload(write("empty", new byte[0]), "/upload/empty");
        assertThat(fs.getFileStatus(path("/upload/empty")).getLen()).isZero();
        assertThat(manifest("/upload/empty").chunks()).isEmpty();
    }

    @Test
    void aLineLongerThanABlockIsKeptInOneChunkAndRollsOver() throws Exception {
        byte[] data = TextFiles.lines(5 << 20, 10);
        byte[] withLongLine = data.clone();
        for (int i = 1 << 20; i < 4 << 20; i++) {
            withLongLine[i] = withLongLine[i] == '\n' ? (byte) ' ' : withLongLine[i];
        }
        upload(write("long", withLongLine), "/upload/long");

        assertThat(read("/upload/long")).isEqualTo(withLongLine);
        Manifest manifest = manifest("/upload/long");
        assertThat(manifest.chunks()).anyMatch(chunk -> chunk.length() >= 3 << 20);
        long preferred = fs.getFileStatus(path("/upload/long")).getBlockSize();
        assertThat(blockLengths("/upload/long"))
                .contains(preferred)
                .isEqualTo(BlockLayout.expected(manifest, preferred));
    }

    @Test
    void rawCutsAreNotMoved() throws Exception {
        byte[] data = "no line end at all ".repeat(20_000).getBytes(StandardCharsets.US_ASCII);
        ShellRun run = shell("-inputFormat", "raw", write("raw", data).toString(), "/upload/raw");
        assertThat(run.exitCode()).isZero();
        Manifest manifest = manifest("/upload/raw");
        assertThat(manifest.recordFormat()).isEqualTo(Manifest.RAW);
        assertThat(manifest.chunks()).allMatch(chunk -> chunk.length() <= 16 << 10);
    }

    @Test
    void aDelimiterOnTheCommandLineIsHonoured() throws Exception {
        byte[] data = "first;second;third;".repeat(5_000).getBytes(StandardCharsets.US_ASCII);
        Configuration withDelimiter = new Configuration(conf);
        withDelimiter.set("textinputformat.record.delimiter", ";");
        ShellRun run =
                ShellRun.of(withDelimiter, arguments(write("records", data).toString(), "/upload/records"));
        assertThat(run.exitCode()).isZero();
        Manifest manifest = manifest("/upload/records");
        assertThat(manifest.recordFormat()).isEqualTo("text:3b");
        assertThat(manifest.chunks()).hasSizeGreaterThan(3).allMatch(chunk -> data[(int) chunk.end() - 1] == ';');
    }

    @Test
    void theSummaryNamesBytesChunksBlocksAndBackend() throws Exception {
        Path source = write("a", TextFiles.lines(300_000, 11));
        ShellRun run = run(source, "/upload/a");
        Manifest manifest = manifest("/upload/a");
        assertThat(run.out())
                .startsWith(String.format(
                        "/upload/a: %,d bytes, %,d chunks, %,d blocks, ",
                        manifest.length(),
                        manifest.chunks().size(),
                        manifest.segmentLengths().size()))
                .contains(" MB/s, backend ");
    }
}
