// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.schedule;

import java.time.Instant;
import java.time.LocalDate;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.zone.ZoneOffsetTransition;
import java.util.Collection;
import java.util.List;
import java.util.function.Predicate;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Moments at which something that goes by windows of the week may change. Whether a moment is in a window is told by
 * what a clock on the wall shows then, so an hour that summer time skips is missing in a window, and one that comes
 * twice is there twice.
 */
final class WallChanges {

    /** A week, what a change of the clocks adds, and the day before. */
    private static final int DAYS = 9;

    private static final int ROUNDS = 8;

    private WallChanges() {}

    /** The first moment from one on of which something holds that changes with these windows; MAX if none does. */
    static Instant first(Instant from, ZoneId zone, Collection<WeekWindow> windows, Predicate<Instant> holds) {
        Instant at = from;
        for (int round = 0; round < ROUNDS; round++) {
            if (holds.test(at)) {
                return at;
            }
            List<Instant> changes = after(at, zone, windows);
            for (Instant change : changes) {
                if (holds.test(change)) {
                    return change;
                }
            }
            if (changes.isEmpty()) {
                return Instant.MAX;
            }
            at = changes.get(changes.size() - 1);
        }
        return Instant.MAX;
    }

    private static List<Instant> after(Instant now, ZoneId zone, Collection<WeekWindow> windows) {
        LocalDate today = now.atZone(zone).toLocalDate();
        Stream<Instant> ends = IntStream.range(-1, DAYS)
                .mapToObj(today::plusDays)
                .flatMap(date -> windows.stream().flatMap(window -> window.ends(date)))
                .flatMap(wall -> moments(wall, zone));
        ZoneOffsetTransition next = zone.getRules().nextTransition(now);
        return Stream.concat(ends, next == null ? Stream.empty() : Stream.of(next.getInstant()))
                .filter(moment -> moment.isAfter(now))
                .sorted()
                .distinct()
                .toList();
    }

    /** None of a time that is skipped, two of one that comes twice. */
    private static Stream<Instant> moments(LocalDateTime wall, ZoneId zone) {
        return zone.getRules().getValidOffsets(wall).stream().map(wall::toInstant);
    }
}
