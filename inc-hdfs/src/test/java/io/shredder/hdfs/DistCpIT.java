// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.chunk.InTurn;
import io.shredder.hdfs.manifest.HdfsManifests;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.tools.DistCp;
import org.apache.hadoop.util.ToolRunner;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** DistCp copies uploads of several blocks with the switch that the upload prints. */
class DistCpIT extends HdfsCase {

    private byte[] data;
    private ShellRun uploaded;

    @BeforeEach
    void uploadAFileOfSeveralBlocks() throws Exception {
        data = TextFiles.lines(5 << 20, 1);
        Path source = write("a", data);
        uploaded = ShellRun.of(
                conf, "-D", "dfs.blocksize=2m", "-copyFromLocalGPU", "-avg", "64k", source.toString(), "/upload/a");
        assertThat(uploaded.exitCode()).as(uploaded.err()).isZero();
        assertThat(blockLengths("/upload/a")).hasSizeGreaterThan(2);
    }

    private int distCp(String... options) throws Exception {
        Configuration own = new Configuration(conf);
        own.set("mapreduce.framework.name", "local");
        own.set("hadoop.tmp.dir", Files.createDirectories(local.resolve("tmp")).toString());
        own.set(
                "mapreduce.jobtracker.staging.root.dir",
                local.resolve("staging").toUri().toString());
        own.setBoolean("fs.hdfs.impl.disable.cache", true);
        String[] words = Stream.concat(Stream.of(options), Stream.of(uri("/upload/a"), uri("/upload/copy")))
                .toArray(String[]::new);
        return ToolRunner.run(own, new DistCp(own, null), words);
    }

    private String uri(String file) {
        return fs.makeQualified(path(file)).toString();
    }

    @InTurn(days = 3)
    @Test
    void theSwitchThatAnUploadPrintsMakesDistCpCopyItWithAndWithoutKeepingBlockSizes() throws Exception {
        String hint = uploaded.outLines().get(1);
        assertThat(hint).startsWith("To copy it with distcp, add ");
        String option = hint.substring(hint.indexOf("-D"));
        for (String[] options : new String[][] {{option}, {option, "-pb"}, {option, "-pbx"}}) {
            assertThat(distCp(options)).as(String.join(" ", options)).isZero();
            assertThat(read("/upload/copy")).isEqualTo(data);
            assertThat(HdfsManifests.find(fs, path("/upload/copy")).manifest()).isEmpty();
            assertThat(fs.delete(path("/upload/copy"), false)).isTrue();
        }
    }

    @InTurn(days = 3)
    @Test
    void withoutTheSwitchDistCpFindsOtherChecksumsWhichIsWhyItIsPrinted() throws Exception {
        assertThat(distCp("-pb")).isNotZero();
    }

    @Test
    void aFileOfOneBlockNeedsNoSwitchAndNoneIsPrinted() throws Exception {
        fs.delete(path("/upload/a"), false);
        ShellRun small = ShellRun.of(
                conf,
                "-copyFromLocalGPU",
                write("a", TextFiles.lines(100_000, 2)).toString(),
                "/upload/a");
        assertThat(small.outLines()).hasSize(1);
        assertThat(distCp()).isZero();
    }
}
