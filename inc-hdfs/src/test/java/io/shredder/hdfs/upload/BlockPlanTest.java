// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.upload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.chunk.ChunkingParams;
import org.apache.hadoop.conf.Configuration;
import org.junit.jupiter.api.Test;

class BlockPlanTest {

    private static final long MIB = 1 << 20;
    private static final ChunkingParams PARAMS = ChunkingParams.builder()
            .averageBytes(MIB)
            .segments(32 * MIB, 8 * MIB, 128 * MIB)
            .build();

    private final Configuration conf = new Configuration(false);

    @Test
    void theLongestSegmentAndARecordFitIntoABlock() {
        assertThat(BlockPlan.of(PARAMS, conf).preferredBytes()).isEqualTo(129 * MIB);
    }

    @Test
    void theBlockSizeIsAMultipleOfTheChecksumsUnitAndAtLeastTheMinimum() {
        conf.setInt("dfs.bytes-per-checksum", 1000);
        ChunkingParams small = ChunkingParams.builder()
                .averageBytes(64)
                .segments(1024, 256, 2048)
                .build();
        conf.setLong("dfs.namenode.fs-limits.min-block-size", 3 * MIB);
        assertThat(BlockPlan.of(small, conf).preferredBytes())
                .isGreaterThanOrEqualTo(3 * MIB)
                .isLessThan(3 * MIB + 1000)
                .satisfies(bytes -> assertThat(bytes % 1000).isZero());
    }

    @Test
    void theSitesBlockSizeIsForOtherFilesButOneFromTheCommandLineCounts() {
        conf.set("dfs.blocksize", "64m", "hdfs-site.xml");
        assertThat(BlockPlan.of(PARAMS, conf).preferredBytes()).isEqualTo(129 * MIB);
        conf.set("dfs.blocksize", "256m", "from command line");
        assertThat(BlockPlan.of(PARAMS, conf).preferredBytes()).isEqualTo(256 * MIB);
        conf.set("dfs.blocksize", "64m", "from command line");
        assertThatThrownBy(() -> BlockPlan.of(PARAMS, conf))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("below the longest block 134217728 (-blockMax)");
    }

    @Test
    void whatRaisesTheBlockSizeDependsOnWhatItFollowsFrom() {
        assertThat(BlockPlan.of(PARAMS, conf).blocksOf(4 * MIB)).isEqualTo("use -blockMax 4194304 or more");
        ChunkingParams chunksOnly = ChunkingParams.ofAverage(MIB);
        assertThat(BlockPlan.of(chunksOnly, conf).blocksOf(4 * MIB)).isEqualTo("use -D dfs.blocksize=4194304 or more");
    }

    @Test
    void aFileOfMoreBlocksThanHdfsTakesIsRefusedWithAnAverageThatWouldDo() {
        BlockPlan plan = BlockPlan.of(PARAMS, conf);
        long largest = 10_000L * 32 * MIB;
        assertThatCode(() -> plan.checkLength("a", largest)).doesNotThrowAnyException();
        assertThatThrownBy(() -> plan.checkLength("a", 10 * largest))
                .hasMessage("`a': about 100000 blocks, but HDFS allows 10000 a file: use -blockAvg " + 512 * MIB
                        + " or more");
    }
}
