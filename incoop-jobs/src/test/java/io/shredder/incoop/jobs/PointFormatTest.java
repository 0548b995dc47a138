// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.jobs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class PointFormatTest {
    private final PointFormat format = new PointFormat(2, 3, false);

    @Test
    void coordinatesAreReadExactly() {
        assertThat(format.parse("1 -2.5")).containsExactly(1000, -2500);
        assertThat(format.parse(" 0.001,\t-.25 \r")).containsExactly(1, -250);
        assertThat(format.line(format.parse("-0.001 12"), 0)).isEqualTo("-0.001 12.000");
    }

    @Test
    void whatIsNoPointIsRefusedWithTheReason() {
        assertThatThrownBy(() -> format.parse("1")).hasMessageContaining("lacks a coordinate");
        assertThatThrownBy(() -> format.parse("1 2 3")).hasMessageContaining("more than 2 coordinates");
        assertThatThrownBy(() -> format.parse("1 2.0001")).hasMessageContaining("more than 3 decimal places");
        assertThatThrownBy(() -> format.parse("1 2e5")).hasMessageContaining("not a decimal number");
        assertThatThrownBy(() -> format.parse("1 -")).hasMessageContaining("lacks a coordinate");
        assertThatThrownBy(() -> format.parse("1 99999999")).hasMessageContaining("beyond 1073741.823");
        assertThatThrownBy(() -> new PointFormat(513, 0, false)).hasMessageContaining("from 1 to 512");
    }

    @Test
    void noSquaredDistanceOverflows() {
        for (int dimensions = 1; dimensions <= PointFormat.MOST_DIMENSIONS; dimensions++) {
            long most = new PointFormat(dimensions, 0, false).mostUnits();
            assertThat(Math.multiplyExact(dimensions, Math.multiplyExact(2 * most, 2 * most)))
                    .isPositive();
        }
    }
}
