// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class TimetableTest {

    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");
    private static final long SEED = 7;

    private static Timetable daily(MissedRun missed) {
        return Timetable.of("30 2 * * *", ZoneOffset.UTC, Duration.ZERO, missed);
    }

    private static Instant at(String text) {
        return Instant.parse(text);
    }

    @Test
    void aJobWaitsForItsTimeAndRunsThen() {
        Timetable table = daily(MissedRun.RUN);
        Instant handled = at("2026-03-01T10:00:00Z");
        Instant due = at("2026-03-02T02:30:00Z");
        assertThat(table.turn(handled, at("2026-03-02T02:29:59.999Z"), SEED)).isEqualTo(new Turn(Turn.What.WAIT, due));
        assertThat(table.turn(handled, due, SEED)).isEqualTo(new Turn(Turn.What.RUN, due));
        assertThat(table.turn(due, due, SEED)).isEqualTo(new Turn(Turn.What.WAIT, at("2026-03-03T02:30:00Z")));
    }

    @Test
    void missedTimesRunOnceOrNotAtAll() {
        Instant handled = at("2026-03-01T02:30:00Z");
        Instant now = at("2026-03-07T12:00:00Z");
        Instant latest = at("2026-03-07T02:30:00Z");
        assertThat(daily(MissedRun.RUN).turn(handled, now, SEED)).isEqualTo(new Turn(Turn.What.RUN, latest));
        assertThat(daily(MissedRun.SKIP).turn(handled, now, SEED)).isEqualTo(new Turn(Turn.What.SKIP, latest));
        assertThat(daily(MissedRun.RUN).turn(latest, now, SEED).what()).isEqualTo(Turn.What.WAIT);
    }

    @Test
    void aRunThatIsALittleLateWasNotMissed() {
        Instant handled = at("2026-03-01T02:30:00Z");
        Instant due = at("2026-03-02T02:30:00Z");
        assertThat(daily(MissedRun.SKIP)
                        .turn(handled, due.plusSeconds(59), SEED)
                        .what())
                .isEqualTo(Turn.What.RUN);
        assertThat(daily(MissedRun.SKIP)
                        .turn(handled, due.plusSeconds(61), SEED)
                        .what())
                .isEqualTo(Turn.What.SKIP);
    }

    @Test
    void aClockThatIsSetBackMakesAJobWait() {
        Instant handled = at("2026-03-05T02:30:00Z");
        Turn turn = daily(MissedRun.RUN).turn(handled, at("2026-03-01T00:00:00Z"), SEED);
        assertThat(turn).isEqualTo(new Turn(Turn.What.WAIT, at("2026-03-06T02:30:00Z")));
    }

    @Test
    void aTimeThatTheClockChangeSkipsOrRepeatsComesOnce() {
        Timetable table = Timetable.of("30 2 * * *", BERLIN, Duration.ZERO, MissedRun.RUN);
        assertOnePerDay(table, at("2026-03-27T12:00:00Z"), 5);
        assertOnePerDay(table, at("2026-10-23T12:00:00Z"), 5);
    }

    /** Each run lies in a day of its own, and no day is left out. */
    private static void assertOnePerDay(Timetable table, Instant from, int days) {
        List<Integer> seen = new ArrayList<>();
        Instant time = from;
        for (int i = 0; i < days; i++) {
            time = table.next(time);
            seen.add(time.atZone(BERLIN).getDayOfYear());
        }
        int first = seen.get(0);
        for (int i = 0; i < days; i++) {
            assertThat(seen.get(i)).as(seen.toString()).isEqualTo(first + i);
        }
    }

    @Test
    void jitterIsBelowItsBoundDiffersBetweenSitesAndStaysAfterARestart() {
        Timetable table = Timetable.of("@hourly", ZoneOffset.UTC, Duration.ofMinutes(10), MissedRun.RUN);
        Instant handled = at("2026-03-01T10:00:00Z");
        Instant due = at("2026-03-01T11:00:00Z");
        Set<Instant> starts = new HashSet<>();
        for (long seed = 0; seed < 100; seed++) {
            Turn turn = table.turn(handled, handled, seed);
            assertThat(turn.time()).isBetween(due, due.plus(Duration.ofMinutes(10)));
            assertThat(table.turn(handled, handled, seed)).isEqualTo(turn);
            assertThat(table.turn(handled, turn.time(), seed)).isEqualTo(new Turn(Turn.What.RUN, due));
            starts.add(turn.time());
        }
        assertThat(starts).hasSizeGreaterThan(90);
    }

    @Test
    void noTimeRunsTwiceAndNoneIsLostWheneverItIsAsked() {
        long seed = Long.getLong("shredder.seed", System.nanoTime());
        Random random = new Random(seed);
        Timetable table = Timetable.of("*/20 * * * *", ZoneOffset.UTC, Duration.ofMinutes(15), MissedRun.RUN);
        Instant now = at("2026-03-01T00:00:01Z");
        Instant end = at("2026-03-03T00:00:00Z");
        Instant handled = now;
        List<Instant> runs = new ArrayList<>();
        while (now.isBefore(end)) {
            Turn turn = table.turn(handled, now, seed);
            if (turn.what() == Turn.What.RUN) {
                assertThat(turn.time()).as("seed %d", seed).isAfter(handled).isBeforeOrEqualTo(now);
                handled = turn.time();
                runs.add(handled);
            }
            now = now.plusSeconds(random.nextInt(60));
        }
        assertThat(runs).as("seed %d", seed).doesNotHaveDuplicates().hasSizeBetween(142, 144);
    }

    @Test
    void whatIsNoScheduleIsRefused() {
        for (String wrong : new String[] {
            "", "* * * *", "60 * * * *", "* * * * * *", "@sometimes", "0 0 30 2 *", "30 2 | *", "1|2 * * * *"
        }) {
            assertThatThrownBy(() -> Timetable.of(wrong, BERLIN, Duration.ZERO, MissedRun.RUN))
                    .as(wrong)
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageStartingWith("'" + wrong + "'");
        }
    }
}
