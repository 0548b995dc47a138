// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.figures;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class BarTest {
    @Test
    void aFigureAtItsLimitPassesAndOneBeyondItFails() {
        assertThat(Bar.atMost("b", 15, 15, " %").failed()).isFalse();
        assertThat(Bar.atMost("b", 15.01, 15, " %").failed()).isTrue();
        assertThat(Bar.atLeast("b", 90, 90, " %").failed()).isFalse();
        assertThat(Bar.atLeast("b", 89.99, 90, " %").failed()).isTrue();
    }

    @Test
    void aLineTellsNameFigureNeedAndVerdict() {
        assertThat(Bar.atMost("bytes sent", 1.44, 15, " %").line()).matches("bytes sent +1\\.4 % +at most 15 % +pass");
    }

    @Test
    void whatCannotRunHereCountsNeitherWay() {
        var bars = List.of(Bar.atMost("a", 1, 2, ""), Bar.atMost("b", 3, 2, ""), Bar.notRun("c", "needs a GPU"));
        assertThat(Bar.closingLine(bars)).isEqualTo("1 passed, 1 failed");
        assertThat(bars.get(2).failed()).isFalse();
    }
}
