// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.coding;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.engine.coding.ErasureCode;
import io.shredder.engine.coding.ErasureCoder;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The engine's coder through Java beside Hadoop's own; the whole comparison is {@code ./run bars coding}. */
class SameParityTest {
    private static final long SHARD_SEED = 0x9e3779b97f4a7c15L;
    private static final long SEED = 7;

    @Test
    void everyShapeToSixteenAndSixteenHasHadoopsParity() throws Exception {
        compare(new IdentityCases(SEED).smallShapes().filter(asked -> asked.bytes() <= 129));
    }

    @Test
    void largerShapesHaveHadoopsParity() throws Exception {
        compare(new IdentityCases(SEED).largerShapes(30).filter(asked -> asked.data() + asked.parity() <= 255));
    }

    @Test
    void everyAlignmentHasHadoopsParity() throws Exception {
        compare(new IdentityCases(SEED).alignments());
    }

    private static void compare(Stream<DigestCase> cases) throws Exception {
        int compared = 0;
        try (var hadoop = new HadoopCoders()) {
            for (DigestCase asked : cases.toList()) {
                assertThat(digest(asked)).as("%s", asked).isEqualTo(hadoop.digest(HadoopCoders.RS_JAVA, asked));
                compared++;
            }
        }
        assertThat(compared).isPositive();
    }

    /** By the engine, in direct memory placed as asked. */
    private static String digest(DigestCase asked) throws Exception {
        var data = new ByteBuffer[asked.data()];
        Arrays.setAll(
                data, i -> place(asked, i).put(0, HadoopCoders.shard(asked.seed() + i * SHARD_SEED, asked.bytes())));
        var parity = new ByteBuffer[asked.parity()];
        Arrays.setAll(parity, i -> place(asked, asked.data() + i));
        try (ErasureCoder coder =
                ErasureCoder.create(new ErasureCode(ErasureCode.Kind.RS, asked.data(), asked.parity()))) {
            coder.encode(data, parity);
        }
        var bytes = new byte[asked.parity()][asked.bytes()];
        for (int i = 0; i < bytes.length; i++) {
            parity[i].get(parity[i].position(), bytes[i]);
        }
        return HadoopCoders.digest(bytes);
    }

    private static ByteBuffer place(DigestCase asked, int shard) {
        int behind = (asked.offset() + asked.step() * shard) % 64;
        ByteBuffer aligned = ByteBuffer.allocateDirect(asked.bytes() + 192).alignedSlice(64);
        return aligned.slice(behind, asked.bytes());
    }
}
