// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.figures;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.it.figures.Chart.Scale;
import org.junit.jupiter.api.Test;

class AxisTicksTest {
    @Test
    void aLinearAxisBeginsAtZeroAndReachesTheGreatestValue() {
        AxisTicks ticks = AxisTicks.of(Scale.LINEAR, 12, 55.4);
        assertThat(ticks.low()).isZero();
        assertThat(ticks.high()).isBetween(55.4, 70.0);
        assertThat(ticks.values()).contains(10.0, 20.0, 50.0);
    }

    @Test
    void anAxisOfBytesIsLabelledInPowersOfTwo() {
        AxisTicks ticks = AxisTicks.of(Scale.BYTES, 4096, 256 << 20);
        assertThat(ticks.low()).isEqualTo(4096);
        assertThat(ticks.label(4096)).isEqualTo("4 KiB");
        assertThat(ticks.label(32 << 20)).isEqualTo("32 MiB");
        assertThat(ticks.values()).hasSizeLessThanOrEqualTo(10);
    }

    @Test
    void aSingleValueOnALogarithmicAxisStillHasALength() {
        AxisTicks ticks = AxisTicks.of(Scale.LOGARITHMIC, 10, 10);
        assertThat(ticks.high()).isGreaterThan(ticks.low());
        assertThat(ticks.position(10)).isZero();
    }

    @Test
    void nothingMeasuredButZeroIsDrawnAtTheBottom() {
        assertThat(AxisTicks.of(Scale.LINEAR, 0, 0).position(0)).isZero();
    }
}
