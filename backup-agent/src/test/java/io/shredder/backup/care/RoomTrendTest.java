// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.care;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.api.Test;

class RoomTrendTest {

    private static final Instant START = Instant.parse("2026-03-02T12:00:00Z");
    private static final long GIB = 1L << 30;

    private final RoomTrend trend = new RoomTrend();

    private static Instant hour(int hours) {
        return START.plus(Duration.ofHours(hours));
    }

    @Test
    void beforeADayHasPassedNobodyKnows() {
        for (int i = 0; i < 24; i++) {
            trend.add(hour(i), 1000 * GIB - i * GIB);
        }
        assertThat(trend.trend()).isEmpty();
        trend.add(hour(24), 976 * GIB);
        assertThat(trend.trend()).isPresent();
    }

    @Test
    void roomThatShrinksEachNightIsUsedUpWhenTheLineSaysSo() {
        for (int i = 0; i <= 10 * 24; i++) {
            trend.add(hour(i), (100 - i / 24) * GIB);
        }
        RoomTrend.Trend seen = trend.trend().orElseThrow();
        assertThat(seen.bytesPerDay()).isCloseTo(-GIB, within(GIB / 50));
        assertThat(seen.since()).isEqualTo(START);
        assertThat(Duration.between(hour(240), seen.fullAt().orElseThrow()).toDays())
                .isBetween(88L, 92L);
    }

    @Test
    void roomThatGrowsOrStaysOrLastsForDecadesIsNeverUsedUp() {
        for (int i = 0; i <= 48; i++) {
            trend.add(hour(i), 100 * GIB + i);
        }
        assertThat(trend.trend().orElseThrow().fullAt()).isEmpty();
        for (int i = 49; i <= 96; i++) {
            trend.add(hour(i), 100 * GIB - i * 1000L);
        }
        assertThat(trend.trend().orElseThrow().fullAt()).isEmpty();
    }

    @Test
    void onlyTheLastThirtyDaysCount() {
        for (int i = 0; i <= 60 * 24; i++) {
            trend.add(hour(i), i <= 30 * 24 ? 1000 * GIB - i * GIB : 500 * GIB);
        }
        RoomTrend.Trend seen = trend.trend().orElseThrow();
        assertThat(seen.since()).isEqualTo(START.plus(30, ChronoUnit.DAYS));
        assertThat(seen.bytesPerDay()).isGreaterThan(-GIB);
    }

    @Test
    void aClockThatIsSetBackBeginsAnew() {
        trend.add(hour(100), GIB);
        trend.add(hour(0), GIB);
        assertThat(trend.trend()).isEmpty();
        trend.add(hour(24), GIB);
        assertThat(trend.trend().orElseThrow().since()).isEqualTo(START);
    }
}
