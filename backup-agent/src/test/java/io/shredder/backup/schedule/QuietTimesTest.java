// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class QuietTimesTest {

    private static final ZoneId BERLIN = ZoneId.of("Europe/Berlin");

    private static QuietTimes quiet(ZoneId zone, String... windows) {
        return new QuietTimes(Stream.of(windows).map(WeekWindow::parse).toList(), zone, QuietTimes.UnderWay.GO_ON);
    }

    private static Instant at(String text) {
        return Instant.parse(text);
    }

    @Test
    void aWorkingDayIsQuietByTheClockOnTheWall() {
        QuietTimes work = quiet(BERLIN, "Mon-Fri 08:00-18:00");
        assertThat(work.contains(at("2026-03-02T06:59:59Z"))).isFalse();
        assertThat(work.contains(at("2026-03-02T07:00:00Z"))).isTrue();
        assertThat(work.contains(at("2026-03-02T16:59:59Z"))).isTrue();
        assertThat(work.contains(at("2026-03-02T17:00:00Z"))).isFalse();
        assertThat(work.contains(at("2026-03-07T12:00:00Z"))).as("a Saturday").isFalse();
        assertThat(work.endOf(at("2026-03-02T09:00:00Z"))).isEqualTo(at("2026-03-02T17:00:00Z"));
        assertThat(work.endOf(at("2026-03-07T12:00:00Z"))).isEqualTo(at("2026-03-07T12:00:00Z"));
        assertThat(work.beginOf(at("2026-03-06T17:00:00Z"))).isEqualTo(at("2026-03-09T07:00:00Z"));
    }

    @Test
    void overMidnightItBelongsToTheDayOnWhichItBegins() {
        QuietTimes night = quiet(ZoneOffset.UTC, "Fri 22:00-06:00");
        assertThat(night.contains(at("2026-03-06T05:00:00Z")))
                .as("Friday morning")
                .isFalse();
        assertThat(night.contains(at("2026-03-06T22:00:00Z"))).isTrue();
        assertThat(night.contains(at("2026-03-07T05:59:00Z"))).isTrue();
        assertThat(night.contains(at("2026-03-07T06:00:00Z"))).isFalse();
        assertThat(night.endOf(at("2026-03-06T23:00:00Z"))).isEqualTo(at("2026-03-07T06:00:00Z"));
        QuietTimes weekend = quiet(ZoneOffset.UTC, "Sat,Sun", "Mon 00:00-06:00");
        assertThat(weekend.endOf(at("2026-03-07T00:00:00Z"))).isEqualTo(at("2026-03-09T06:00:00Z"));
    }

    @Test
    void anHourThatSummerTimeSkipsIsMissingAndOneThatComesTwiceIsThereTwice() {
        QuietTimes early = quiet(BERLIN, "02:00-03:00");
        assertThat(early.beginOf(at("2026-03-28T12:00:00Z"))).isEqualTo(at("2026-03-30T00:00:00Z"));
        Instant first = early.beginOf(at("2026-10-24T12:00:00Z"));
        assertThat(first).isEqualTo(at("2026-10-25T00:00:00Z"));
        assertThat(early.endOf(first)).isEqualTo(at("2026-10-25T02:00:00Z"));
        QuietTimes half = quiet(BERLIN, "02:15-02:45");
        assertThat(half.endOf(at("2026-10-25T00:15:00Z"))).isEqualTo(at("2026-10-25T00:45:00Z"));
        assertThat(half.beginOf(at("2026-10-25T00:45:00Z"))).isEqualTo(at("2026-10-25T01:15:00Z"));
        assertThat(half.endOf(at("2026-10-25T01:15:00Z"))).isEqualTo(at("2026-10-25T01:45:00Z"));
        QuietTimes long2 = quiet(BERLIN, "01:30-03:30");
        assertThat(Duration.between(
                        long2.beginOf(at("2026-03-28T12:00:00Z")),
                        long2.endOf(long2.beginOf(at("2026-03-28T12:00:00Z")))))
                .isEqualTo(Duration.ofHours(1));
    }

    /** The oracle asks each minute. */
    @Test
    void endsAndBeginningsAreThoseThatAWatchOfEachMinuteSees() {
        long seed = Long.getLong("shredder.seed", System.nanoTime());
        Random random = new Random(seed);
        List<String> days = List.of("", "Mon ", "Sat,Sun ", "Tue-Thu ", "Fri-Mon ");
        for (int round = 0; round < 60; round++) {
            String window = days.get(random.nextInt(days.size())) + time(random) + "-" + time(random);
            QuietTimes quiet;
            try {
                quiet = quiet(random.nextBoolean() ? BERLIN : ZoneOffset.UTC, window);
            } catch (IllegalArgumentException e) {
                continue;
            }
            Instant from = at(random.nextBoolean() ? "2026-03-27T00:00:00Z" : "2026-10-23T00:00:00Z")
                    .plusSeconds(60L * random.nextInt(3 * 24 * 60));
            Instant begin = from;
            while (!quiet.contains(begin)) {
                begin = begin.plusSeconds(60);
            }
            Instant end = begin;
            while (quiet.contains(end)) {
                end = end.plusSeconds(60);
            }
            assertThat(quiet.beginOf(from))
                    .as("%s from %s, seed %d", window, from, seed)
                    .isEqualTo(begin);
            assertThat(quiet.endOf(begin))
                    .as("%s from %s, seed %d", window, begin, seed)
                    .isEqualTo(end);
        }
    }

    private static String time(Random random) {
        return String.format("%02d:%02d", random.nextInt(24), 15 * random.nextInt(4));
    }

    @Test
    void aWeekThatIsAllQuietIsRefused() {
        for (List<String> windows : List.of(
                List.of("00:00-24:00"),
                List.of("Mon-Sun"),
                List.of("Mon-Fri", "Sat,Sun 00:00-12:00", "Sat,Sun 12:00-24:00"),
                List.of("06:00-05:00", "04:30-06:00"))) {
            assertThatThrownBy(() -> quiet(ZoneOffset.UTC, windows.toArray(String[]::new)))
                    .as(windows.toString())
                    .hasMessageContaining("nothing would ever run");
        }
        assertThat(quiet(ZoneOffset.UTC, "00:00-23:59").endOf(at("2026-03-02T00:00:00Z")))
                .isEqualTo(at("2026-03-02T23:59:00Z"));
    }

    @Test
    void textsThatAreNoTimeOfTheWeekAreRefused() {
        for (String text : new String[] {
            "",
            " ",
            "always",
            "8:00-18:00",
            "08:00-18:60",
            "08:00",
            "24:00-06:00",
            "25:00-26:00",
            "10:00-10:00",
            "12:00-00:00",
            "Mo 08:00-18:00",
            "Mon- 08:00-18:00",
            "Mon-Tue-Wed",
            "08:00-18:00 Mon",
            "Mon,,Tue"
        }) {
            assertThatThrownBy(() -> WeekWindow.parse(text)).as(text).isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(WeekWindow.parse("fri-MON").days()).hasSize(4);
        assertThat(WeekWindow.parse("Mon,Wed-Thu 22:00-24:00").days()).hasSize(3);
    }

    @Test
    void aScheduleWhoseTimesAreAllQuietIsSeen() {
        Instant begin = at("2026-01-01T00:00:00Z");
        QuietTimes work = quiet(ZoneOffset.UTC, "Mon-Fri 08:00-18:00");
        assertThat(work.coverAll(table("30 12 * * 1-5"), begin)).isTrue();
        assertThat(work.coverAll(table("30 12 * * *"), begin)).isFalse();
        assertThat(work.coverAll(table("0 * * * *"), begin)).isFalse();
        assertThat(QuietTimes.NONE.coverAll(table("30 12 * * 1-5"), begin)).isFalse();
        assertThat(quiet(ZoneOffset.UTC, "01:00-02:00").coverAll(table("30 1 29 2 *"), begin))
                .isTrue();
        assertThat(quiet(ZoneOffset.UTC, "Thu-Tue").coverAll(table("* * * * *"), begin))
                .isFalse();
    }

    private static Timetable table(String schedule) {
        return Timetable.of(schedule, ZoneOffset.UTC, Duration.ZERO, MissedRun.RUN);
    }

    @Test
    void aQuietTimePutsOffWhenARunIsDue() {
        RunTimes times = new RunTimes(java.util.Optional.of(table("0 * * * *")), quiet(ZoneOffset.UTC, "08:00-18:00"));
        Duration patience = Duration.ofMinutes(30);
        assertThat(times.lastDue(at("2026-03-02T07:45:00Z"), patience)).contains(at("2026-03-02T07:00:00Z"));
        assertThat(times.lastDue(at("2026-03-02T17:59:00Z"), patience)).contains(at("2026-03-02T07:00:00Z"));
        assertThat(times.lastDue(at("2026-03-02T18:29:00Z"), patience)).contains(at("2026-03-02T07:00:00Z"));
        assertThat(times.lastDue(at("2026-03-02T18:30:00Z"), patience)).contains(at("2026-03-02T18:00:00Z"));
    }
}
