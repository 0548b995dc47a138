// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.schedule;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;

/**
 * Times of the week in which no run starts. Immutable.
 *
 * @param windows none: nothing is ever quiet
 * @param zone whose clock on the wall counts
 * @param underWay what becomes of a run that goes on when a quiet time begins
 */
public record QuietTimes(List<WeekWindow> windows, ZoneId zone, UnderWay underWay) {

    /** A Monday. */
    private static final LocalDate SOME_WEEK = LocalDate.of(2024, 1, 1);

    private static final int WEEK_MINUTES = 7 * 24 * 60;
    /** So many quiet times with times of a schedule are looked at. */
    private static final int MOST_SEEN = 400;

    /** Nothing is ever quiet. Made behind what its making needs. */
    public static final QuietTimes NONE = new QuietTimes(List.of(), ZoneOffset.UTC, UnderWay.GO_ON);

    /** What becomes of a run that goes on when a quiet time begins. */
    public enum UnderWay {
        /** It ends by itself. */
        GO_ON,
        /** It is ended, and begun again when the quiet time is over, unless what is missed is not made up for. */
        END;

        /**
         * Reads a name.
         *
         * @throws IllegalArgumentException listing the names
         */
        public static UnderWay parse(String text) {
            return Arrays.stream(values())
                    .filter(choice -> choice.word().equals(text))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException(
                            "'" + text + "' is not what to do with a run under way: use go-on or end"));
        }

        /** Its name. */
        String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /**
     * Keeps a copy.
     *
     * @throws IllegalArgumentException if it is always quiet
     */
    public QuietTimes {
        windows = List.copyOf(windows);
        if (isAlways(windows)) {
            throw new IllegalArgumentException("the whole week is quiet, so nothing would ever run: leave some time");
        }
    }

    private static boolean isAlways(List<WeekWindow> windows) {
        LocalDateTime monday = SOME_WEEK.atStartOfDay();
        for (int minute = 0; minute < WEEK_MINUTES; minute++) {
            LocalDateTime wall = monday.plusMinutes(minute);
            if (windows.stream().noneMatch(window -> window.contains(wall))) {
                return false;
            }
        }
        return true;
    }

    /** Whether it is quiet then. */
    public boolean contains(Instant time) {
        if (windows.isEmpty() || time.equals(Instant.MAX)) {
            return false;
        }
        LocalDateTime wall = time.atZone(zone).toLocalDateTime();
        return windows.stream().anyMatch(window -> window.contains(wall));
    }

    /** The first moment from this one on that isn't quiet. */
    public Instant endOf(Instant time) {
        return contains(time) ? WallChanges.first(time, zone, windows, moment -> !contains(moment)) : time;
    }

    /** The first moment from this one on that is quiet; {@link Instant#MAX} if none is. */
    public Instant beginOf(Instant time) {
        return windows.isEmpty() ? Instant.MAX : WallChanges.first(time, zone, windows, this::contains);
    }

    /** Whether all times of a schedule, after this one, are quiet. */
    public boolean coverAll(Timetable times, Instant after) {
        Instant next = times.next(after);
        for (int seen = 0; seen < MOST_SEEN && !next.equals(Instant.MAX); seen++) {
            if (!contains(next)) {
                return false;
            }
            next = times.next(endOf(next).minusMillis(1));
        }
        return !windows.isEmpty();
    }

    @Override
    public String toString() {
        return windows.stream().map(WeekWindow::toString).collect(Collectors.joining("; ")) + " " + zone
                + ", what runs then " + (underWay == UnderWay.END ? "is ended" : "goes on");
    }
}
