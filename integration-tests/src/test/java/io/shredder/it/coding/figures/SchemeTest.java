// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.coding.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SchemeTest {

    /** The paper's column. */
    @ParameterizedTest
    @CsvSource({
        "1, 2, REP-3, 33.33",
        "3, 5, IDA-3:5, 37.5",
        "5, 3, IDA-5:3, 62.5",
        "5, 11, IDA-5:11, 31.25",
        "11, 5, IDA-11:5, 68.75",
        "13, 3, IDA-13:3, 81.25",
        "26, 6, IDA-26:6, 81.25",
        "29, 3, IDA-29:3, 90.63"
    })
    void table3HasThePapersEfficiency(int data, int parity, String title, double percent) {
        Scheme scheme = new Scheme(data, parity);
        assertThat(Scheme.TABLE_3).hasSize(8).contains(scheme);
        assertThat(scheme.title()).isEqualTo(title);
        assertThat(100 * scheme.efficiency()).isCloseTo(percent, within(0.006));
    }

    /** Every choice of machines for a file's shards, counted. */
    @Test
    void unavailabilityIsTheShareOfChoicesThatLoseTooMuch() {
        int machines = 12;
        for (int down = 0; down <= machines; down++) {
            for (Scheme scheme : new Scheme[] {new Scheme(1, 2), new Scheme(3, 5), new Scheme(5, 3)}) {
                int choices = 0;
                int unreadable = 0;
                for (int chosen = 0; chosen < 1 << machines; chosen++) {
                    if (Integer.bitCount(chosen) == scheme.shards()) {
                        choices++;
                        unreadable += Integer.bitCount(chosen & ((1 << down) - 1)) > scheme.parity() ? 1 : 0;
                    }
                }
                assertThat(scheme.unavailability(machines, down))
                        .as("%s, %d down", scheme.title(), down)
                        .isCloseTo((double) unreadable / choices, within(1e-15));
            }
        }
    }

    @Test
    void smallProbabilitiesAreNotLostBeside1() {
        // All three copies on the three of 1000 that are down: 1 / C(1000, 3).
        assertThat(new Scheme(1, 2).unavailability(1000, 3)).isCloseTo(1 / 166_167_000.0, within(1e-22));
        assertThat(new Scheme(5, 11).unavailability(1000, 10)).isZero();
        assertThat(new Scheme(5, 11).unavailability(1000, 1000)).isOne();
    }

    @Test
    void numbersThatCannotBeAreRefused() {
        Scheme scheme = new Scheme(29, 3);
        assertThatThrownBy(() -> scheme.unavailability(31, 1)).hasMessageContaining("IDA-29:3 on 31 machines");
        assertThatThrownBy(() -> scheme.unavailability(100, 101)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aReaderNeedsAsManyShardsAsThereAreDataShards() {
        assertThat(new Scheme(3, 5).mostLostData()).isEqualTo(3);
        assertThat(new Scheme(29, 3).mostLostData()).isEqualTo(3);
    }
}
