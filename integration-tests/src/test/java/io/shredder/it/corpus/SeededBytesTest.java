// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class SeededBytesTest {
    private static byte[] bytes(long seed, long from, long length) throws IOException {
        var out = new ByteArrayOutputStream();
        SeededBytes.write(out, seed, from, length);
        return out.toByteArray();
    }

    @Test
    void anyStretchIsWhatItIsInTheWhole() throws IOException {
        byte[] whole = bytes(7, 0, 600_001);
        assertThat(whole).hasSize(600_001);
        for (int[] stretch : new int[][] {{0, 1}, {3, 5}, {5, 3}, {7, 300_000}, {262_143, 2}, {600_000, 1}, {12, 0}}) {
            assertThat(bytes(7, stretch[0], stretch[1]))
                    .isEqualTo(Arrays.copyOfRange(whole, stretch[0], stretch[0] + stretch[1]));
        }
    }

    @Test
    void anotherSeedHasOtherBytes() throws IOException {
        assertThat(bytes(1, 0, 64)).isNotEqualTo(bytes(2, 0, 64));
        assertThat(bytes(1, 8, 56)).isNotEqualTo(bytes(2, 0, 56));
    }
}
