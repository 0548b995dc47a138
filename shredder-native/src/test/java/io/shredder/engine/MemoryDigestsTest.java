// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class MemoryDigestsTest {

    @Test
    void piecesBackToBackHaveTheDigestsThatJavaGivesThem() throws ShredderException {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        byte[] bytes = new byte[300_000];
        random.nextBytes(bytes);
        ByteBuffer data = ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
        for (int count : new int[] {0, 1, 2, 15, 16, 17, 40}) {
            int from = random.nextInt(100);
            int[] lengths = random.ints(count, 0, 7_000).toArray();
            List<Fingerprint> expected = new ArrayList<>();
            int at = from;
            for (int length : lengths) {
                expected.add(Fingerprint.ofData(data.slice(at, length)));
                at += length;
            }
            data.position(from);
            assertThat(MemoryDigests.of(DigestAlgorithm.SHA_256, data.asReadOnlyBuffer(), lengths))
                    .isEqualTo(expected);
            assertThat(data.position()).isEqualTo(from);
        }
    }

    @Test
    void whatIsNotInTheBufferIsRefused() {
        assertThat(MemoryDigests.areAvailable()).isTrue();
        ByteBuffer data = ByteBuffer.allocateDirect(100).position(40);
        assertThatThrownBy(() -> MemoryDigests.of(DigestAlgorithm.SHA_256, data, new int[] {30, 31}))
                .hasMessageContaining("61 bytes are not in a buffer of 60");
        assertThatThrownBy(() -> MemoryDigests.of(DigestAlgorithm.SHA_256, data, new int[] {-1}))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> MemoryDigests.of(DigestAlgorithm.SHA_256, ByteBuffer.allocate(9), new int[] {9}))
                .hasMessageContaining("direct");
    }
}
