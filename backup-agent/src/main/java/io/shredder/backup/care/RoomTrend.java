// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.care;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * How the room that is left has changed, by samples of the last {@value #MOST_DAYS} days at most, and when there is
 * none if it goes on so: a line of least squares. One thread at a time.
 */
public final class RoomTrend {

    private static final int MOST_DAYS = 30;
    private static final Duration LONGEST = Duration.ofDays(MOST_DAYS);
    private static final double DAY_SECONDS = 86_400;

    /** A night's backups and a collection are to be in it. */
    private static final Duration LEAST = Duration.ofDays(1);

    /** What is further away nobody can tell. */
    private static final double FURTHEST_DAYS = 3650;

    private final Deque<Sample> samples = new ArrayDeque<>();

    private record Sample(Instant at, long usableBytes) {}

    /**
     * What they show.
     *
     * @param since the first sample that counts
     * @param bytesPerDay by which the room grows; less than 0 where it shrinks
     * @param fullAt when it is used up; empty if that is never, or in more than ten years
     */
    public record Trend(Instant since, long bytesPerDay, Optional<Instant> fullAt) {}

    /** Samples come in the order of their times; what came before a clock was set back is forgotten. */
    public void add(Instant at, long usableBytes) {
        if (!samples.isEmpty() && !at.isAfter(samples.getLast().at())) {
            samples.clear();
        }
        samples.addLast(new Sample(at, usableBytes));
        while (samples.getFirst().at().isBefore(at.minus(LONGEST))) {
            samples.removeFirst();
        }
    }

    /** Empty before there are samples of a day. */
    public Optional<Trend> trend() {
        if (samples.isEmpty()) {
            return Optional.empty();
        }
        Sample first = samples.getFirst();
        Sample last = samples.getLast();
        if (Duration.between(first.at(), last.at()).compareTo(LEAST) < 0) {
            return Optional.empty();
        }
        double perDay = slope(first);
        double days = -last.usableBytes() / perDay;
        Optional<Instant> full = perDay < 0 && days <= FURTHEST_DAYS
                ? Optional.of(last.at().plusSeconds(Math.round(days * DAY_SECONDS)))
                : Optional.empty();
        return Optional.of(new Trend(first.at(), Math.round(perDay), full));
    }

    /** In bytes a day. Distances from the first sample keep the numbers small. */
    private double slope(Sample first) {
        double sumX = 0;
        double sumY = 0;
        double sumXx = 0;
        double sumXy = 0;
        for (Sample sample : samples) {
            double x = Duration.between(first.at(), sample.at()).toSeconds() / DAY_SECONDS;
            double y = (double) sample.usableBytes() - first.usableBytes();
            sumX += x;
            sumY += y;
            sumXx += x * x;
            sumXy += x * y;
        }
        int count = samples.size();
        return (count * sumXy - sumX * sumY) / (count * sumXx - sumX * sumX);
    }
}
