// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine.coding;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class StretchesTest {

    @Test
    void onlyTheLastMayBeShorter() {
        assertThat(stretches(0, 10)).isEmpty();
        assertThat(stretches(10, 10)).containsExactly("0+10");
        assertThat(stretches(21, 10)).containsExactly("0+10", "10+10", "20+1");
    }

    private static List<String> stretches(int bytes, int stretchBytes) {
        List<String> taken = new ArrayList<>();
        Stretches.forEach(bytes, stretchBytes, (at, stretch) -> taken.add(at + "+" + stretch));
        return taken;
    }

    @ParameterizedTest
    @ValueSource(
            ints = {Integer.MAX_VALUE, Integer.MAX_VALUE - 1, Integer.MAX_VALUE - 65_535, Integer.MAX_VALUE - 65_536})
    void allThatAnIntCanSayIsTakenOnce(int bytes) {
        long[] next = {0};
        Stretches.forEach(bytes, 65_536, (at, stretch) -> {
            assertThat(at).isEqualTo((int) next[0]);
            assertThat(stretch).isBetween(1, 65_536);
            next[0] += stretch;
        });
        assertThat(next[0]).isEqualTo(bytes);
    }
}
