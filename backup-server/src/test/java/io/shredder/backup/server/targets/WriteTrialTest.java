// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.targets;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.server.targets.WriteTrial.Way;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WriteTrialTest {

    private static final int BYTES = 1000;

    private long nowNs;
    private final WriteTrial trial = new WriteTrial(List.of(Way.DIRECT, Way.CACHED), BYTES, () -> nowNs);
    private double directNs = 5;
    private double cachedNs = 2;

    /** Writes a window at what it costs by now, and what opens it; whether that was past the cache. */
    private boolean window() {
        Way way = trial.next();
        trial.wrote(way, 1);
        for (int i = 0; i < 10 && trial.next() == way; i++) {
            nowNs += (long) (BYTES / 10 * (way == Way.DIRECT ? directNs : cachedNs));
            trial.wrote(way, BYTES / 10);
        }
        return way == Way.DIRECT;
    }

    private List<Boolean> windows(int count) {
        return IntStream.range(0, count).mapToObj(i -> window()).toList();
    }

    private long directOf(int count) {
        return windows(count).stream().filter(direct -> direct).count();
    }

    @Test
    void eachWayIsTriedWithItsShareTheDirectOneFirst() {
        assertThat(windows(3)).containsExactly(true, false, false);
    }

    @Test
    void theQuickestOfThreeWaysWritesMostAndEachOtherIsTriedAgain() {
        WriteTrial three = new WriteTrial(List.of(Way.values()), BYTES, () -> nowNs);
        Map<Way, Integer> windows = new EnumMap<>(Way.class);
        for (int i = 0; i < 10_000; i++) {
            Way way = three.next();
            windows.merge(way, 1, Integer::sum);
            three.wrote(way, 1);
            nowNs += BYTES * (way == Way.MAPPED ? 2 : 3);
            three.wrote(way, BYTES);
        }
        assertThat(windows.get(Way.MAPPED)).isGreaterThan(9_950);
        assertThat(windows.get(Way.DIRECT)).isBetween(3, 9);
        assertThat(windows.get(Way.CACHED)).isBetween(3, 9);
    }

    @Test
    void theWayThatWasQuickerWritesTheRest() {
        directNs = 1;
        assertThat(windows(4)).containsExactly(true, false, true, true);
    }

    @Test
    void theSlowerWayIsTriedAgainEverMoreSeldom() {
        windows(2);
        assertThat(directOf(WriteTrial.LEAST_WINDOWS_BETWEEN + 2)).isEqualTo(1);
        assertThat(directOf(10_000)).isBetween(5L, 12L);
    }

    @Test
    void aWayThatBecomesSlowerIsLeftWithinWindows() {
        windows(20);
        cachedNs = 20;
        windows(2);
        assertThat(directOf(WriteTrial.LEAST_WINDOWS_BETWEEN)).isGreaterThan(WriteTrial.LEAST_WINDOWS_BETWEEN - 2);
    }

    @Test
    void aWayThatBecomesQuickerIsFound() {
        cachedNs = 20;
        windows(20);
        cachedNs = 2;
        windows(8 * WriteTrial.LEAST_WINDOWS_BETWEEN);
        assertThat(directOf(20)).isLessThanOrEqualTo(3);
    }

    @Test
    void oneSlowWindowDecidesLittle() {
        windows(4);
        cachedNs = 7; // With what was before, 4.5.
        window();
        cachedNs = 2;
        assertThat(directOf(3)).isZero();
    }

    @Test
    void writesThatTheOtherWayStillHadUnderWayAreNotCounted() {
        window();
        assertThat(trial.next()).isEqualTo(Way.CACHED);
        trial.wrote(Way.DIRECT, 100 * BYTES);
        trial.wrote(Way.CACHED, 1);
        nowNs += 1_000_000;
        trial.wrote(Way.DIRECT, 100 * BYTES);
        assertThat(trial.next()).isEqualTo(Way.CACHED);
    }
}
