// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.source;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.BitSet;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ToldExtentsTest {

    private static final int LENGTH = 400;

    /** Tells of up to {@code count} more bytes from where was told last; returns how much that was. */
    private static int tell(ToldExtents told, BitSet data, int count) {
        int from = (int) told.upTo();
        int end = Math.min(LENGTH, from + count);
        for (int at = data.nextSetBit(from); at >= 0 && at < end; at = data.nextSetBit(at)) {
            int last = Math.min(end, data.nextClearBit(at));
            told.add(at, last);
            at = last;
        }
        told.grow(end);
        return end - from;
    }

    @ParameterizedTest
    @ValueSource(ints = {LENGTH, 3, 1})
    void readersAtPlacesOfTheirOwnSeeTheImageAndNothingIsAskedTwiceWhereAllIsRemembered(int most) {
        for (int seed = 0; seed < 200; seed++) {
            Random random = new Random(seed);
            BitSet data = new BitSet();
            for (int at = 0; at < LENGTH; at += 1 + random.nextInt(20)) {
                data.set(at, at + 1 + random.nextInt(9));
            }
            data.clear(LENGTH, LENGTH + 20);
            ToldExtents told = new ToldExtents(most);
            long asked = 0;
            int[] readers = {0, 0, 0};
            for (int step = 0; step < 300; step++) {
                int reader = random.nextInt(readers.length);
                int at = readers[reader];
                told.moveTo(at);
                Optional<Extent> next = told.next(at);
                while (next.isEmpty() && told.upTo() < LENGTH) {
                    asked += tell(told, data, 1 + random.nextInt(30));
                    next = told.next(at);
                }
                int expected = data.nextSetBit(at);
                assertThat(next.map(extent -> (int) extent.offset()).orElse(-1))
                        .as("seed %d at %d", seed, at)
                        .isEqualTo(expected);
                if (next.isPresent()) {
                    assertThat(next.get().end()).isLessThanOrEqualTo(data.nextClearBit(expected));
                    readers[reader] = (int) next.get().end();
                }
            }
            if (most == LENGTH) {
                assertThat(asked).as("seed %d", seed).isEqualTo(LENGTH);
            }
        }
    }

    @Test
    void whatLiesBeforeAReaderIsForgottenAndNeverWhatLiesBehind() {
        ToldExtents told = new ToldExtents(3);
        told.moveTo(0);
        for (int at = 0; at < 100; at += 10) {
            told.add(at, at + 5);
        }
        told.grow(100);
        assertThat(told.next(0)).contains(new Extent(0, 5));
        told.moveTo(72);
        assertThat(told.next(72)).contains(new Extent(72, 3));
        assertThat(told.upTo()).isEqualTo(100);
        told.moveTo(10);
        assertThat(told.upTo()).as("asked again").isEqualTo(10);
        assertThat(told.next(10)).isEmpty();
    }

    @Test
    void whatAdjoinsIsOne() {
        ToldExtents told = new ToldExtents();
        told.moveTo(8);
        told.add(4, 12);
        told.add(12, 16);
        told.grow(16);
        told.add(15, 20);
        told.grow(32);
        assertThat(told.next(8)).contains(new Extent(8, 12));
        assertThat(told.next(20)).isEmpty();
        told.moveTo(40);
        assertThat(told.next(40)).isEmpty();
        assertThat(told.upTo()).isEqualTo(40);
    }
}
