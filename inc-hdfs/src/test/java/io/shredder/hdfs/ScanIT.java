// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.shredder.chunk.Chunk;
import io.shredder.chunk.Fingerprint;
import io.shredder.chunk.Manifest;
import io.shredder.hdfs.manifest.HdfsManifests;
import io.shredder.hdfs.manifest.ManifestPaths;
import io.shredder.hdfs.scan.ScanTool;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.permission.AclEntry;
import org.apache.hadoop.fs.permission.FsPermission;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** {@code hadoop shredder scan} of files that others wrote, as a job within this process. */
class ScanIT extends HdfsCase {

    private static final int BLOCK = 1 << 20;
    private static final List<String> SMALL = List.of("-avg", "4k", "-min", "1k", "-max", "16k");

    @AfterEach
    void forgetParts() {
        conf.unset("inc-hdfs.scan.part");
    }

    private ShellRun scan(String... words) throws Exception {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        ByteArrayOutputStream err = new ByteArrayOutputStream();
        Configuration own = new Configuration(conf);
        own.set("hadoop.tmp.dir", local.resolve("tmp").toString());
        String[] all = Stream.concat(SMALL.stream(), Arrays.stream(words)).toArray(String[]::new);
        int exitCode = ToolRunner.run(
                own,
                new ScanTool(
                        new PrintStream(out, true, StandardCharsets.UTF_8),
                        new PrintStream(err, true, StandardCharsets.UTF_8)),
                all);
        return new ShellRun(exitCode, out.toString(StandardCharsets.UTF_8), err.toString(StandardCharsets.UTF_8));
    }

    /** As any program writes it. */
    private void put(byte[] content, String file) throws IOException {
        try (FSDataOutputStream out = fs.create(path(file), true, 4096, (short) 1, BLOCK)) {
            out.write(content);
        }
    }

    private List<Chunk> uploaded(byte[] content, String name, String... options) throws Exception {
        Path source = write(name.replace('/', '-'), content);
        List<String> words = new ArrayList<>(List.of("-copyFromLocalGPU"));
        words.addAll(SMALL);
        words.addAll(List.of(options));
        words.addAll(List.of(source.toString(), "/upload/uploaded-" + name));
        ShellRun run = ShellRun.of(conf, words.toArray(String[]::new));
        assertThat(run.exitCode()).as(run.err()).isZero();
        List<Chunk> chunks = manifest("/upload/uploaded-" + name).chunks();
        fs.delete(path("/upload/uploaded-" + name), false);
        return oneSegment(chunks);
    }

    private static List<Chunk> oneSegment(List<Chunk> chunks) {
        long end = chunks.stream().mapToLong(Chunk::end).max().orElse(0);
        return chunks.stream()
                .map(chunk -> new Chunk(chunk.offset(), chunk.length(), chunk.fingerprint(), chunk.end() == end))
                .toList();
    }

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
        put(TextFiles.lines(BLOCK / 3, 2), "/upload/appended");
        try (FSDataOutputStream out = fs.append(
                path("/upload/appended"),
                java.util.EnumSet.of(org.apache.hadoop.fs.CreateFlag.APPEND, org.apache.hadoop.fs.CreateFlag.NEW_BLOCK),
                4096,
                null)) {
            out.write(TextFiles.lines(BLOCK / 3, 3));
        }
        put(TextFiles.lines(BLOCK, 1), "/upload/.hidden/a");
        put(TextFiles.lines(BLOCK, 1), "/upload/_logs/a");
        try (FSDataOutputStream open = fs.create(path("/upload/open"))) {
            open.write(1);
            open.hflush();
            ShellRun run = scan("--write", "/upload", "/upload/a");
            assertThat(run.exitCode()).isEqualTo(1);
            assertThat(run.err())
                    .contains("/upload/appended: its blocks are not all of one length")
                    .contains("/upload/uploading: it is being uploaded anew");
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
    void whatFoldersShareIsToldAsTheirChunksSayItAndASampleIsNearThat() throws Exception {
        byte[] one = TextFiles.lines(2 * BLOCK, 1);
        byte[] edited = TextFiles.inserted(one, BLOCK, "some words in between\n");
        byte[] other = TextFiles.lines(BLOCK, 2);
        put(one, "/upload/a/x");
        put(edited, "/upload/b/deep/x");
        put(other, "/upload/b/y");
        put(other, "/upload/b/z");
        put(TextFiles.lines(BLOCK / 2, 3), "/upload/top");
        List<Chunk> first = uploaded(one, "one");
        List<Chunk> second = new ArrayList<>(uploaded(edited, "edited"));
        second.addAll(uploaded(other, "other"));
        second.addAll(uploaded(other, "other"));
        List<Chunk> third = uploaded(TextFiles.lines(BLOCK / 2, 3), "third");
        List<Chunk> all = Stream.of(first, second, third).flatMap(List::stream).toList();

        ShellRun run = scan("--report", "/upload");
        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(run.outLines())
                .contains(line("all", all))
                .contains(line("in " + fs.makeQualified(path("/upload/a")), first))
                .contains(line("in " + fs.makeQualified(path("/upload/b")), second))
                .contains(line("in " + fs.makeQualified(path("/upload")), third));
        Set<Fingerprint> ofFirst = first.stream().map(Chunk::fingerprint).collect(Collectors.toSet());
        long shared = different(second.stream()
                .filter(chunk -> ofFirst.contains(chunk.fingerprint()))
                .toList());
        assertThat(shared).isGreaterThan(BLOCK);
        assertThat(run.out())
                .contains("both " + fs.makeQualified(path("/upload/a")) + " and " + fs.makeQualified(path("/upload/b"))
                        + "\t" + shared + " bytes\t");
        assertThat(names("/upload/a")).containsExactly("x");

        ShellRun sampled = scan("--report", "-sample", "40", "/upload");
        assertThat(saved(sampled.outLines())).isCloseTo(saved(run.outLines()), within(8.0));
        assertThat(scan("--report", "-sample", "200", "/upload").exitCode()).isEqualTo(2);
        assertThat(scan("-sample", "2", "/upload").exitCode()).isEqualTo(2);
        assertThat(scan("--report", "--write", "/upload").exitCode()).isEqualTo(2);
    }

    private static long different(List<Chunk> chunks) {
        return chunks.stream()
                .collect(Collectors.toMap(Chunk::fingerprint, Chunk::length, (same, again) -> same))
                .values()
                .stream()
                .mapToLong(Integer::longValue)
                .sum();
    }

    private static String line(String what, List<Chunk> chunks) {
        long bytes = chunks.stream().mapToLong(Chunk::length).sum();
        long different = different(chunks);
        return String.format(
                Locale.ROOT,
                "%s\t%d bytes\t%d different\t%.1f %% saved",
                what,
                bytes,
                different,
                100.0 * (bytes - different) / bytes);
    }

    private static double saved(List<String> lines) {
        String all = lines.stream()
                .filter(line -> line.startsWith("all\t"))
                .findFirst()
                .orElseThrow();
        return Double.parseDouble(all.replaceFirst(".*different\t(.*) % saved", "$1"));
    }

    @Test
    void wordsThatMakeNoSenseAreRefused() throws Exception {
        assertThat(scan().exitCode()).isEqualTo(2);
        assertThat(scan("--wrong", "/upload").exitCode()).isEqualTo(2);
        assertThat(scan("-blockAvg", "1m", "/upload").err()).contains("-blockAvg is for uploads");
        assertThat(scan("/upload/none").err()).contains("/upload/none isn't there");
        assertThat(scan(local.toUri().toString()).err()).contains("is not in HDFS");
        assertThat(scan("--help").out()).contains("--write");
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
}
