// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.pace.Pace;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class RatePlanTest {

    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    private static RatePlan.Window window(String time, String rate) {
        return new RatePlan.Window(WeekWindow.parse(time), RatePlan.Rate.parse(rate));
    }

    private static String rate(RatePlan plan, String time) {
        return plan.at(Instant.parse(time)).toString();
    }

    @Test
    void theFirstWindowThatHoldsCounts() {
        RatePlan plan = new RatePlan(
                List.of(window("Mon-Fri 08:00-18:00", "20m"), window("08:00-18:00", "1g"), window("Sun", "65537")),
                RatePlan.Rate.parse("unlimited"),
                BERLIN);
        assertThat(rate(plan, "2026-03-02T07:00:00Z")).isEqualTo("20m");
        assertThat(rate(plan, "2026-03-07T07:00:00Z")).isEqualTo("1g");
        assertThat(rate(plan, "2026-03-08T18:00:00Z")).isEqualTo("65537");
        assertThat(rate(plan, "2026-03-02T17:00:00Z")).isEqualTo("unlimited");
        assertThat(plan)
                .hasToString("20m Mon-Fri 08:00-18:00, 1g 08:00-18:00, 65537 Sun, otherwise unlimited (Europe/Berlin)");
        assertThat(plan.isLimited()).isTrue();
        assertThat(RatePlan.UNLIMITED.isLimited()).isFalse();
        assertThatThrownBy(() -> RatePlan.Rate.parse("1k")).hasMessageContaining("too slow");
    }

    /** A transfer goes on while the window begins: from then on it is held back. */
    @Test
    void aTransferUnderWayGoesByTheWindowThatBegins() {
        RatePlan plan =
                new RatePlan(List.of(window("08:00-18:00", "100k")), RatePlan.Rate.parse("unlimited"), ZoneOffset.UTC);
        JumpingClock clock = new JumpingClock(Instant.parse("2026-03-02T07:59:59Z"));
        Pace pace = plan.pace(clock);
        long begun = System.nanoTime();
        pace.take(Long.MAX_VALUE >> 20);
        assertThat(System.nanoTime() - begun).as("without limit").isLessThan(TimeUnit.SECONDS.toNanos(5));
        clock.set(Instant.parse("2026-03-02T08:00:00Z"));
        begun = System.nanoTime();
        pace.take(100 << 10);
        assertThat(System.nanoTime() - begun).as("of a second").isGreaterThan(TimeUnit.MILLISECONDS.toNanos(700));
        clock.set(Instant.parse("2026-03-01T07:00:00Z"));
        begun = System.nanoTime();
        pace.take(Long.MAX_VALUE >> 20);
        assertThat(System.nanoTime() - begun).as("set back").isLessThan(TimeUnit.SECONDS.toNanos(5));
    }

    @Test
    void aPlanWithoutWindowsIsOnePace() {
        long begun = System.nanoTime();
        Pace pace = RatePlan.always(RatePlan.Rate.parse("100k")).pace(Clock.systemUTC());
        pace.take(60 << 10);
        assertThat(System.nanoTime() - begun).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(300));
    }

    @Test
    void anotherPlanCountsForWhoeverKeepsToTheOneBefore() {
        AtomicReference<RatePlan> plan = new AtomicReference<>(RatePlan.UNLIMITED);
        Pace pace = RatePlan.pace(plan::get, new JumpingClock(Instant.parse("2026-03-02T08:00:00Z")));
        pace.take(Long.MAX_VALUE >> 20);
        plan.set(RatePlan.always(RatePlan.Rate.parse("100k")));
        long begun = System.nanoTime();
        pace.take(100 << 10);
        assertThat(System.nanoTime() - begun).isGreaterThan(TimeUnit.MILLISECONDS.toNanos(700));
        plan.set(RatePlan.UNLIMITED);
        begun = System.nanoTime();
        pace.take(Long.MAX_VALUE >> 20);
        assertThat(System.nanoTime() - begun).isLessThan(TimeUnit.SECONDS.toNanos(5));
    }
}
