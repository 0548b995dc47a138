// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneId;
import java.time.temporal.WeekFields;
import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;

/**
 * Which snapshots rules keep, said in another way than the product does: each rule by itself, over all snapshots.
 * Snapshots are ids with the time at which the agent received them.
 */
final class RetentionOracle {

    private final ZoneId zone;
    private final Map<Long, Instant> all;
    private final Set<Long> kept = new TreeSet<>();

    RetentionOracle(Map<Long, Instant> all, ZoneId zone) {
        this.all = all;
        this.zone = zone;
    }

    Set<Long> kept() {
        return kept;
    }

    /** The N with the highest ids. */
    RetentionOracle last(int count) {
        all.keySet().stream().sorted(Comparator.reverseOrder()).limit(count).forEach(kept::add);
        return this;
    }

    /** Those that came less than so long before the one with the highest id. */
    RetentionOracle within(Duration time) {
        Instant newest =
                all.get(all.keySet().stream().max(Comparator.naturalOrder()).orElseThrow());
        all.forEach((id, received) -> {
            if (Duration.between(received, newest).compareTo(time) < 0) {
                kept.add(id);
            }
        });
        return this;
    }

    RetentionOracle daily(int count) {
        return lastOfEach(count, date -> date);
    }

    RetentionOracle weekly(int count) {
        return lastOfEach(
                count,
                date -> date.get(WeekFields.ISO.weekBasedYear()) * 100
                        + date.get(WeekFields.ISO.weekOfWeekBasedYear()));
    }

    RetentionOracle monthly(int count) {
        return lastOfEach(count, date -> date.withDayOfMonth(1));
    }

    RetentionOracle yearly(int count) {
        return lastOfEach(count, LocalDate::getYear);
    }

    /** The highest id of each span; of the spans those N whose highest ids are the highest. */
    private RetentionOracle lastOfEach(int count, Function<LocalDate, Object> span) {
        Map<Object, Long> highest = new HashMap<>();
        all.forEach(
                (id, received) -> highest.merge(span.apply(received.atZone(zone).toLocalDate()), id, Math::max));
        highest.values().stream().sorted(Comparator.reverseOrder()).limit(count).forEach(kept::add);
        return this;
    }
}
