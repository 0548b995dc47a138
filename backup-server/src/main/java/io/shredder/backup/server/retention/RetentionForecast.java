// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.retention;

import io.shredder.backup.snapshot.SnapshotInfo;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * How many snapshots of a series a policy keeps over coming years, if backups go on as they came and it is applied
 * every month.
 *
 * @param every the usual time between two backups
 * @param kept after each year
 */
public record RetentionForecast(Duration every, List<Integer> kept) {

    /** A month of the forecast; what is kept depends little on it. */
    private static final Duration STEP = Duration.ofDays(30);

    private static final int STEPS_PER_YEAR = 12;
    private static final Duration LEAST = Duration.ofMinutes(1);

    /**
     * Goes on with a series.
     *
     * @param series ascending, at least two snapshots
     * @param years at least 1
     */
    public static RetentionForecast of(RetentionPolicy policy, List<SnapshotInfo> series, int years) {
        Duration every = usual(series);
        List<SnapshotInfo> present = new ArrayList<>(series);
        SnapshotInfo last = series.get(series.size() - 1);
        Instant next = last.received().plus(every);
        Instant end = last.received();
        List<Integer> kept = new ArrayList<>();
        long id = last.id();
        for (int step = 1; step <= years * STEPS_PER_YEAR; step++) {
            end = end.plus(STEP);
            for (; !next.isAfter(end); next = next.plus(every)) {
                present.add(at(last, ++id, next));
            }
            present = new ArrayList<>(policy.decide(present).stream()
                    .filter(RetentionPolicy.Decision::isKept)
                    .map(RetentionPolicy.Decision::snapshot)
                    .toList());
            if (step % STEPS_PER_YEAR == 0) {
                kept.add(present.size());
            }
        }
        return new RetentionForecast(every, List.copyOf(kept));
    }

    /** The median: one pause or burst doesn't count. */
    private static Duration usual(List<SnapshotInfo> series) {
        if (series.size() < 2) {
            throw new IllegalArgumentException("one snapshot tells nothing of how often they come");
        }
        List<Duration> gaps = new ArrayList<>();
        for (int i = 1; i < series.size(); i++) {
            gaps.add(
                    Duration.between(series.get(i - 1).received(), series.get(i).received()));
        }
        gaps.sort(null);
        Duration median = gaps.get(gaps.size() / 2);
        return median.compareTo(LEAST) < 0 ? LEAST : median;
    }

    private static SnapshotInfo at(SnapshotInfo like, long id, Instant received) {
        return new SnapshotInfo(
                id,
                like.name(),
                received,
                like.imageBytes(),
                like.chunkCount(),
                like.seal(),
                like.summary(),
                like.contentDigest());
    }
}
