// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeFalse;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.hdfs.protocol.HdfsConstants;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Every refusal is one line that says what to do, a code that is not 0, and nothing left in HDFS. */
class RefusalsIT extends HdfsCase {

    @AfterEach
    void nothingIsLeftBehind() throws IOException {
        assertThat(names("/upload")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "-min 8k | minimum 8192 is above the average 4096",
                "-max 2k | maximum 2048 is below the average 4096",
                "-avg 5000 | average 5000 is not a power of two",
                "-avg 8q | -avg 8q is not a size",
                "-avg -1 | Illegal option -1",
                "-blockAvg 2k | segment average 2^11 is out of range",
                "-blockMin 600k | segment minimum 614400",
                "-blockMax 100k | segment maximum 102400 is below the segment average 131072",
                "-inputFormat org.example.XmlInputFormat | InputFormat org.example.XmlInputFormat can't be served",
                "-backend abacus | abacus",
                "-t 0 | -t 0 is not a number in 1..256",
                "-buffer none | -buffer none is not a size",
                "-q many | -q many is not a number",
            })
    void aBadOptionIsNamed(String option, String problem) throws Exception {
        String source = write("a", TextFiles.lines(1000, 1)).toString();
        String[] words = option.split(" ");
        assertRefused(shell(words[0], words[1], source, "/upload/a"), problem);
    }

    @Test
    void aMissingFileIsNamed() throws Exception {
        String missing = local.resolve("missing").toString();
        assertRefused(shell(missing, "/upload/a"), "`" + missing + "': No such file or directory");
    }

    @Test
    void anUnreadableFileIsNamed() throws Exception {
        Path source = write("locked", TextFiles.lines(1000, 1));
        Files.setPosixFilePermissions(source, PosixFilePermissions.fromString("---------"));
        assumeFalse(Files.isReadable(source), "root reads everything");
        assertRefused(run(source, "/upload/a"), "`" + source + "': Permission denied");
    }

    @Test
    void aDestinationOutsideHdfsIsRefused() throws Exception {
        Path source = write("a", TextFiles.lines(1000, 1));
        Path target = local.resolve("copy");
        assertRefused(
                shell(source.toString(), target.toUri().toString()),
                "is in file:///, which is not HDFS: give an hdfs:// path or set fs.defaultFS, or copy it with -copyFromLocal");
        assertThat(target).doesNotExist();
    }

    @Test
    void aDestinationAmongRawBytesIsRefused() throws Exception {
        assertRefused(
                run(write("a", TextFiles.lines(1000, 1)), "/.reserved/raw/upload/a"),
                "is below /.reserved/raw/, which takes only what was read there");
    }

    @Test
    void aNameThatLeavesNoRoomForItsManifestsIsRefused() throws Exception {
        assertRefused(
                run(write("a", TextFiles.lines(1000, 1)), "/upload/" + "\u00e9".repeat(118) + "x"),
                "has a name of 237 bytes, but HDFS allows 255, and its manifest's is longer: take one of at most 236 bytes,"
                        + " or copy it with -copyFromLocal");
    }

    @Test
    void aMissingTargetFolderIsNamed() throws Exception {
        assertRefused(run(write("a", TextFiles.lines(1000, 1)), "/upload/no/a"), "No such file or directory");
    }

    @Test
    void moreBlocksThanHdfsAllowsAreRefusedBeforeAnythingIsWritten() throws Exception {
        Path source = write("a", TextFiles.lines(3 << 20, 1));
        ShellRun run = ShellRun.of(withMaxBlocks(10), arguments(source.toString(), "/upload/a"));
        assertRefused(run, "about 24 blocks, but HDFS allows 10 a file: use -blockAvg 524288 or more");
    }

    @Test
    void moreBlocksThanEstimatedAbortTheUpload() throws Exception {
        Path source = write("a", TextFiles.lines(3 << 20, 1));
        String[] manyShortBlocks = Stream.concat(
                        Stream.of("-copyFromLocalGPU", "-avg", "4k", "-blockAvg", "128k", "-blockMin", "1k"),
                        Stream.of("-blockMax", "144k", source.toString(), "/upload/a"))
                .toArray(String[]::new);
        assertRefused(ShellRun.of(withMaxBlocks(30), manyShortBlocks), "more than 30 blocks after");
    }

    private Configuration withMaxBlocks(int blocks) {
        Configuration limited = new Configuration(conf);
        limited.setInt("dfs.namenode.fs-limits.max-blocks-per-file", blocks);
        return limited;
    }

    @Test
    void aBlockSizeBelowTheLongestBlockIsRefused() throws Exception {
        String source = write("a", TextFiles.lines(1000, 1)).toString();
        String[] words = Stream.concat(Stream.of("-D", "dfs.blocksize=256k"), Stream.of(arguments(source, "/upload/a")))
                .toArray(String[]::new);
        assertRefused(ShellRun.of(conf, words), "dfs.blocksize 262144 is below the longest block 524288 (-blockMax)");
    }

    @Test
    void anHdfsThatFillsUpLeavesNothingBehind() throws Exception {
        fs.setQuota(folder, HdfsConstants.QUOTA_DONT_SET, 4 << 20);
        try {
            Path source = write("a", TextFiles.lines(5 << 20, 1));
            assertRefused(run(source, "/upload/a"), "quota");
        } finally {
            fs.setQuota(folder, HdfsConstants.QUOTA_DONT_SET, HdfsConstants.QUOTA_RESET);
        }
    }

    @Test
    void aNameQuotaThatIsUsedUpLeavesNothingBehind() throws Exception {
        Path source = write("a", TextFiles.lines(1000, 1));
        for (int names = 1; names <= 3; names++) {
            fs.setQuota(folder, names, HdfsConstants.QUOTA_DONT_SET);
            try {
                assertRefused(run(source, "/upload/a"), "quota");
                assertThat(names("/upload")).isEmpty();
            } finally {
                fs.setQuota(folder, HdfsConstants.QUOTA_RESET, HdfsConstants.QUOTA_DONT_SET);
            }
        }
    }

    @Test
    void aNameThatBelongsToManifestsIsNotCopiedAndSaidSo() throws Exception {
        Path source = write(".a.shredder-manifest", TextFiles.lines(1000, 1));
        ShellRun run = run(source, "/upload");
        assertThat(run.err()).contains("a manifest, which belongs to another file: not copied");
    }

    @Test
    void aCommandWithoutArgumentsPrintsItsUsage() throws Exception {
        ShellRun run = ShellRun.of(conf, "-copyFromLocalGPU");
        assertThat(run.exitCode()).isEqualTo(-1);
        assertThat(run.err()).contains("Not enough arguments").contains(CopyFromLocalGpu.USAGE);
    }

    @Test
    void chunksOfAFileWithoutManifestAreRefused() throws Exception {
        fs.create(path("/plain")).close();
        try {
            ShellRun run = ShellRun.of(conf, "-chunks", "/plain");
            assertRefused(run, "no manifest; upload it with -copyFromLocalGPU to have one");
            assertThat(run.err()).startsWith("chunks: `/plain': ");
        } finally {
            fs.delete(path("/plain"), false);
        }
    }

    @Test
    void chunkDiffWithAMissingFileNamesIt() throws Exception {
        ShellRun run = ShellRun.of(conf, "-chunkDiff", "/upload/x", "/upload/y");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.errLines()).containsExactly("chunkDiff: `/upload/x': No such file or directory");
    }

    private static void assertRefused(ShellRun run, String... problems) {
        assertThat(run.exitCode()).as(run.err()).isNotZero();
        assertThat(run.out()).isEmpty();
        assertThat(run.errLines().get(0)).contains(problems);
        if (run.exitCode() == 1) {
            assertThat(run.errLines()).hasSize(1);
        }
    }
}
