// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.retention;

import com.google.common.collect.Maps;
import com.google.common.collect.MultimapBuilder;
import com.google.common.collect.SetMultimap;
import io.shredder.backup.snapshot.SnapshotInfo;
import java.time.Duration;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Which snapshots of a series are kept: the last ones, and the last of each of so many hours, days, weeks, months and
 * years that have any. Times are the agent's receive times; no other clock is asked. Order is that of ids, which the
 * agent gives out in the order of commits, so a clock that once went wrong doesn't make an old snapshot the newest. The
 * newest of a series is always kept.
 *
 * @param last how many of the newest are kept
 * @param within all are kept that were received within this time of the newest; zero for no such rule
 * @param spans of how many spans the last one is kept; at least 1 each
 * @param zone whose calendar it is
 */
public record RetentionPolicy(int last, Duration within, Map<Period, Integer> spans, ZoneId zone) {

    /** Without a rule on how long ago. */
    public RetentionPolicy(int last, Map<Period, Integer> spans, ZoneId zone) {
        this(last, Duration.ZERO, spans, zone);
    }

    /**
     * What becomes of one snapshot.
     *
     * @param snapshot it
     * @param keptBy the rules that keep it; none: it goes
     */
    public record Decision(SnapshotInfo snapshot, List<String> keptBy) {

        /** Whether it stays. */
        public boolean isKept() {
            return !keptBy.isEmpty();
        }
    }

    /**
     * Refuses numbers below 1 (0 for {@code last} means that there is no such rule), and policies that keep nothing.
     *
     * @throws IllegalArgumentException naming the number
     */
    public RetentionPolicy {
        spans = Maps.immutableEnumMap(spans);
        if (last < 0) {
            throw new IllegalArgumentException("keep-last " + last + " is below 1");
        }
        for (Map.Entry<Period, Integer> span : spans.entrySet()) {
            if (span.getValue() < 1) {
                throw new IllegalArgumentException(
                        "keep-" + span.getKey().word() + " " + span.getValue() + " is below 1");
            }
        }
        if (last == 0 && within.isZero() && spans.isEmpty()) {
            throw new IllegalArgumentException("a policy that keeps nothing: give at least one keep rule");
        }
    }

    /** In words, for people. */
    @Override
    public String toString() {
        List<String> rules = new ArrayList<>();
        if (last > 0) {
            rules.add("last " + last);
        }
        spans.forEach((period, count) -> rules.add(period.word() + " " + count));
        if (!within.isZero()) {
            rules.add("within " + within.toHours() + " h");
        }
        return String.join(", ", rules) + " (" + zone + ")";
    }

    /** Decides over the snapshots of one series, newest first. */
    public List<Decision> decide(List<SnapshotInfo> series) {
        List<SnapshotInfo> newestFirst = series.stream()
                .sorted(Comparator.comparingLong(SnapshotInfo::id).reversed())
                .toList();
        SetMultimap<Period, String> seen =
                MultimapBuilder.enumKeys(Period.class).hashSetValues().build();
        List<Decision> decisions = new ArrayList<>();
        for (SnapshotInfo snapshot : newestFirst) {
            List<String> keptBy = new ArrayList<>();
            if (decisions.size() < last) {
                keptBy.add("last");
            }
            if (!within.isZero()
                    && snapshot.received()
                            .plus(within)
                            .isAfter(newestFirst.get(0).received())) {
                keptBy.add("within");
            }
            for (Map.Entry<Period, Integer> span : spans.entrySet()) {
                Set<String> ends = seen.get(span.getKey());
                if (ends.size() < span.getValue()
                        && ends.add(span.getKey().spanOf(snapshot.received().atZone(zone)))) {
                    keptBy.add(span.getKey().word());
                }
            }
            decisions.add(new Decision(snapshot, List.copyOf(keptBy)));
        }
        return decisions;
    }
}
