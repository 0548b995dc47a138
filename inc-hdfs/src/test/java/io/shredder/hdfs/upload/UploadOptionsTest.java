// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.upload;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.chunk.ChunkingParams;
import io.shredder.engine.ShredderOptions;
import io.shredder.hdfs.records.RecordFormats;
import org.junit.jupiter.api.Test;

class UploadOptionsTest {

    private static final long MIB = 1 << 20;
    private static final ChunkingParams CHUNKS = ChunkingParams.ofAverage(MIB);
    private static final ChunkingParams SEGMENTS = ChunkingParams.builder()
            .averageBytes(MIB)
            .segments(32 * MIB, 8 * MIB, 128 * MIB)
            .build();

    private static UploadOptions options(ChunkingParams params, long bufferBytes) {
        BlockPlan plan = new BlockPlan(params, 128 * MIB, 10_000);
        return new UploadOptions(
                plan, RecordFormats.raw(), ShredderOptions.Devices.parse("auto"), 5, bufferBytes, false);
    }

    @Test
    void filesShareThreadsRoundedUpAndMemory() {
        UploadOptions share = options(SEGMENTS, 256 * MIB).sharedBy(4);
        assertThat(share.threads()).isEqualTo(2);
        assertThat(share.bufferBytes()).isEqualTo(64 * MIB);
        assertThat(options(SEGMENTS, 3).sharedBy(4).bufferBytes()).isEqualTo(1);
    }

    @Test
    void whatIsHeldBackIsPartOfTheMemoryButLeavesAQuarter() {
        assertThat(options(CHUNKS, 256 * MIB).sharedBy(4).bufferBytes()).isEqualTo((64 - 4 - 1) * MIB);
        assertThat(options(CHUNKS, 16 * MIB).sharedBy(4).bufferBytes()).isEqualTo(MIB);
        assertThat(options(ChunkingParams.ofAverage(64 * MIB), 256 * MIB)
                        .sharedBy(1)
                        .bufferBytes())
                .isEqualTo(64 * MIB);
    }
}
