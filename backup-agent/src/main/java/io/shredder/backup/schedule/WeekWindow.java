// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.schedule;

import java.time.DayOfWeek;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.util.EnumSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A time that comes each week by the clock on the wall, such as {@code Mon-Fri 08:00-18:00}. One that ends earlier in
 * the day than it begins goes over midnight and belongs to the day on which it begins.
 *
 * @param text as it was written
 * @param days on which it begins; at least one
 * @param fromMinute of the day, 0 to 1439
 * @param toMinute of that day or, if it isn't later, of the next; 1 to 1440; not in the window any more
 */
public record WeekWindow(String text, Set<DayOfWeek> days, int fromMinute, int toMinute) {

    private static final int DAY_MINUTES = 24 * 60;
    private static final List<String> NAMES = List.of("mon", "tue", "wed", "thu", "fri", "sat", "sun");
    private static final Pattern FORM =
            Pattern.compile("(?:([a-z,-]+)(?: +|$))?(?:([0-2][0-9]):([0-5][0-9])-([0-2][0-9]):([0-5][0-9]))?");

    /** Keeps a copy. */
    public WeekWindow {
        days = Set.copyOf(days);
    }

    /**
     * Reads days, times, or both: {@code Sat,Sun}, {@code 22:00-06:00}, {@code Mon-Fri 08:00-18:00}.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static WeekWindow parse(String text) {
        Matcher matcher = FORM.matcher(text.strip().toLowerCase(Locale.ROOT));
        if (text.isBlank() || !matcher.matches()) {
            throw new IllegalArgumentException("'" + text
                    + "' is no time of the week: use days, times or both, such as Sat,Sun or Mon-Fri 08:00-18:00");
        }
        String named = matcher.group(1);
        Set<DayOfWeek> days = named == null ? EnumSet.allOf(DayOfWeek.class) : days(text, named);
        if (matcher.group(2) == null) {
            return new WeekWindow(text, days, 0, DAY_MINUTES);
        }
        int from = minute(text, matcher.group(2), matcher.group(3));
        int to = minute(text, matcher.group(4), matcher.group(5));
        if (from == to || from == DAY_MINUTES || to == 0) {
            throw new IllegalArgumentException(
                    "'" + text + "' has no length, or begins or ends in no day: a whole day is 00:00-24:00");
        }
        return new WeekWindow(text, days, from, to);
    }

    private static int minute(String text, String hour, String minute) {
        int minutes = Integer.parseInt(hour) * 60 + Integer.parseInt(minute);
        if (minutes > DAY_MINUTES) {
            throw new IllegalArgumentException("'" + text + "': a day ends at 24:00");
        }
        return minutes;
    }

    private static Set<DayOfWeek> days(String text, String named) {
        Set<DayOfWeek> days = EnumSet.noneOf(DayOfWeek.class);
        for (String part : named.split(",", -1)) {
            String[] ends = part.split("-", -1);
            int first = NAMES.indexOf(ends[0]);
            int last = NAMES.indexOf(ends[ends.length - 1]);
            if (ends.length > 2 || first < 0 || last < 0) {
                throw new IllegalArgumentException(
                        "'" + text + "': '" + part + "' is no day: use Mon, Tue, Wed, Thu, Fri, Sat, Sun or Mon-Fri");
            }
            for (int day = first; day != last; day = (day + 1) % NAMES.size()) {
                days.add(DayOfWeek.of(day + 1));
            }
            days.add(DayOfWeek.of(last + 1));
        }
        return days;
    }

    /** Whether a clock on the wall that shows this is in it. */
    boolean contains(LocalDateTime wall) {
        int minute = wall.getHour() * 60 + wall.getMinute();
        boolean today = days.contains(wall.getDayOfWeek());
        if (toMinute > fromMinute) {
            return today && minute >= fromMinute && minute < toMinute;
        }
        boolean yesterday = days.contains(wall.getDayOfWeek().minus(1));
        return (today && minute >= fromMinute) || (yesterday && minute < toMinute);
    }

    /** When it may begin or end on a day. */
    Stream<LocalDateTime> ends(LocalDate date) {
        LocalDateTime midnight = date.atStartOfDay();
        return Stream.of(midnight.plusMinutes(fromMinute), midnight.plusMinutes(toMinute));
    }

    @Override
    public String toString() {
        return text;
    }
}
