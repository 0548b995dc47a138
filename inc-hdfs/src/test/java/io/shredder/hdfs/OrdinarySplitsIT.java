// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.BlockLocation;
import org.apache.hadoop.mapreduce.InputSplit;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.apache.hadoop.mapreduce.lib.input.TextInputFormat;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** An ordinary job reads an upload as it reads any file of the same {@code dfs.blocksize}: as many maps, as local. */
class OrdinarySplitsIT extends HdfsCase {

    private static final int MIB = 1 << 20;

    private Path source;

    @BeforeEach
    void writeAText() throws IOException {
        source = write("a", TextFiles.lines(23 * MIB, 1));
    }

    private void copy(String command, String blockSize, String target) throws Exception {
        List<String> words = new ArrayList<>(List.of("-D", "dfs.blocksize=" + blockSize, command));
        if (command.equals("-copyFromLocalGPU")) {
            words.addAll(List.of("-avg", "16k"));
        }
        words.addAll(List.of(source.toString(), target));
        Configuration uncached = new Configuration(conf); // a client that was opened before has another block size
        uncached.setBoolean("fs.hdfs.impl.disable.cache", true);
        ShellRun run = ShellRun.of(uncached, words.toArray(String[]::new));
        assertThat(run.exitCode()).as(run.err()).isZero();
    }

    private List<InputSplit> splits(String file) throws Exception {
        Job job = Job.getInstance(conf);
        FileInputFormat.addInputPath(job, fs.makeQualified(path(file)));
        return new TextInputFormat().getSplits(job);
    }

    /** The share of all splits' bytes that lie on a host that their split names, with one replica each. */
    private double localShare(String file) throws Exception {
        BlockLocation[] blocks = fs.getFileBlockLocations(path(file), 0, Long.MAX_VALUE);
        long local = 0;
        long all = 0;
        for (InputSplit split : splits(file)) {
            FileSplit part = (FileSplit) split;
            BlockLocation first = Arrays.stream(blocks)
                    .filter(block -> block.getOffset() <= part.getStart()
                            && part.getStart() < block.getOffset() + block.getLength())
                    .findFirst()
                    .orElseThrow();
            assertThat(part.getLocations()).containsOnly(first.getHosts());
            local += Math.min(part.getLength(), first.getOffset() + first.getLength() - part.getStart());
            all += part.getLength();
        }
        return (double) local / all;
    }

    @Test
    void anOrdinaryJobHasTheSameSplitsThatLieOnBlocks() throws Exception {
        copy("-copyFromLocal", "1m", "/upload/ordinary");
        copy("-copyFromLocalGPU", "1m", "/upload/cut");

        assertThat(splits("/upload/cut")).hasSameSizeAs(splits("/upload/ordinary"));
        assertThat(localShare("/upload/cut")).isGreaterThan(0.9);
        assertThat(blockLengths("/upload/cut")).hasSizeLessThanOrEqualTo(23 * 4 / 3);
        assertThat(blockLengths("/upload/cut"))
                .isEqualTo(manifest("/upload/cut").segmentLengths());
    }

    @Test
    void theSitesBlockSizeIsAnUploadsToo() throws Exception {
        Configuration site = new Configuration(conf);
        site.set("dfs.blocksize", "2m", "hdfs-site.xml");
        ShellRun run = ShellRun.of(site, "-copyFromLocalGPU", "-avg", "16k", source.toString(), "/upload/a");
        assertThat(run.exitCode()).as(run.err()).isZero();
        assertThat(fs.getFileStatus(path("/upload/a")).getBlockSize()).isEqualTo(2 * MIB);
        assertThat(blockLengths("/upload/a")).allMatch(length -> length <= 2 * MIB);
    }

    @Test
    void aBlockSizeThatCannotBeIsNamed() throws Exception {
        ShellRun run =
                ShellRun.of(conf, "-D", "dfs.blocksize=1000001", "-copyFromLocalGPU", source.toString(), "/upload/a");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.errLines())
                .containsExactly("copyFromLocalGPU: dfs.blocksize 1000001 is not a positive multiple of"
                        + " dfs.bytes-per-checksum 512: use one, such as 128m");
    }

    @Test
    void aShortestBlockWithoutAnAverageIsRefused() throws Exception {
        ShellRun run = ShellRun.of(conf, "-copyFromLocalGPU", "-blockMin", "1m", source.toString(), "/upload/a");
        assertThat(run.exitCode()).isEqualTo(1);
        assertThat(run.errLines()).containsExactly("copyFromLocalGPU: -blockMin 1m is for -blockAvg: give that, too");
    }
}
