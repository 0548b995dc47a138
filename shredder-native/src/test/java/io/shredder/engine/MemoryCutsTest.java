// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.chunk.Chunk;
import io.shredder.chunk.ChunkingParams;
import io.shredder.chunk.ReferenceChunker;
import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MemoryCutsTest {

    private static final ChunkingParams PARAMS = ChunkingParams.ofAverage(1024);

    @Test
    void givesTheReferencesCutsFromAnyCutOn() throws Exception {
        byte[] bytes = new byte[100_000];
        new Random(5).nextBytes(bytes);
        ByteBuffer data = ByteBuffer.allocateDirect(bytes.length).put(bytes);
        int[] expected = ReferenceChunker.chunk(PARAMS, bytes).stream()
                .mapToInt(Chunk::length)
                .toArray();
        MemoryCuts cuts = new MemoryCuts(PARAMS);
        assertThat(cuts.lengths(data.rewind(), true)).isEqualTo(expected);
        data.position(expected[0] + expected[1]);
        assertThat(cuts.lengths(data, true)).startsWith(expected[2], expected[3]);
        assertThat(cuts.lengths(data.limit(data.position() + expected[2] + 1), false))
                .containsExactly(expected[2]);
        assertThat(cuts.lengths(ByteBuffer.allocateDirect(0), true)).isEmpty();
    }

    @Test
    void parametersWhoseCutsDependOnWhatIsBeforeAreRefused() {
        ChunkingParams shorter =
                ChunkingParams.builder().averageBytes(64).minBytes(47).build();
        assertThat(MemoryCuts.serve(shorter)).isFalse();
        assertThatThrownBy(() -> new MemoryCuts(shorter)).hasMessageContaining("before the last cut");
    }
}
