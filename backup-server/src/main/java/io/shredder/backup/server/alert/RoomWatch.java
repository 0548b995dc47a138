// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.alert;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.shredder.backup.care.RoomTrend;
import io.shredder.backup.server.job.StoreRoom;
import io.shredder.backup.server.text.SnapshotText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;

/**
 * Whether the agent's store will soon be full: by what it had left at the end of each night's backups. So a first
 * backup, which takes a night or more, is no sign of how it goes on. Not thread-safe.
 */
final class RoomWatch {

    /** Below this no backup can be sure of its room. */
    static final long LEAST_BYTES = 1_000_000_000;

    /** Backups that begin within so long are one night's. */
    private static final Duration NIGHT = Duration.ofHours(20);

    /** Before so many days nobody knows how it goes on. */
    private static final Duration LEAST_DAYS = Duration.ofDays(3);

    private static final int MOST_NIGHTS = 30;

    private final Deque<Night> nights = new ArrayDeque<>();
    private String repository = "";

    /**
     * What was left at its end.
     *
     * @param began when it was asked for first
     * @param ended when it was asked for last
     */
    private record Night(Instant began, Instant ended, long usableBytes) {}

    /**
     * Takes what is left now.
     *
     * @param fullWithin a store that will be full sooner is
     * @return what is wrong, in words
     */
    Optional<String> seen(StoreRoom room, Instant now, Duration fullWithin) {
        if (room.usableBytes() == Long.MAX_VALUE) {
            nights.clear();
            return Optional.empty();
        }
        add(room, now);
        if (room.usableBytes() < LEAST_BYTES) {
            return Optional.of("it has " + SnapshotText.size(room.usableBytes()) + " left, less than "
                    + SnapshotText.size(LEAST_BYTES));
        }
        return trend().flatMap(trend -> trend.fullAt()
                .filter(full -> full.isBefore(now.plus(fullWithin)))
                .map(full -> "it has " + SnapshotText.size(room.usableBytes()) + " left, since " + trend.since() + " "
                        + SnapshotText.size(-trend.bytesPerDay()) + " less each day, and will be full at " + full));
    }

    /** Another store, or a clock that was set back, begins anew. */
    private void add(StoreRoom room, Instant now) {
        boolean goesOn = repository.equals(room.repository().toString())
                && (nights.isEmpty() || !now.isBefore(nights.getLast().ended()));
        if (!goesOn) {
            nights.clear();
            repository = room.repository().toString();
        }
        boolean sameNight =
                !nights.isEmpty() && now.isBefore(nights.getLast().began().plus(NIGHT));
        Instant began = sameNight ? nights.removeLast().began() : now;
        nights.addLast(new Night(began, now, room.usableBytes()));
        if (nights.size() > MOST_NIGHTS) {
            nights.removeFirst();
        }
    }

    private Optional<RoomTrend.Trend> trend() {
        RoomTrend trend = new RoomTrend();
        nights.forEach(night -> trend.add(night.ended(), night.usableBytes()));
        Duration all =
                Duration.between(nights.getFirst().ended(), nights.getLast().ended());
        return all.compareTo(LEAST_DAYS) < 0 ? Optional.empty() : trend.trend();
    }

    void write(ObjectNode target) {
        target.put("repository", repository);
        ArrayNode all = target.putArray("nights");
        nights.forEach(night -> all.addObject()
                .put("began", night.began().toString())
                .put("ended", night.ended().toString())
                .put("usableBytes", night.usableBytes()));
    }

    /** What was written; nothing is known if nothing was. */
    static RoomWatch read(JsonNode source) {
        RoomWatch watch = new RoomWatch();
        watch.repository = source.path("repository").asText();
        for (JsonNode night : source.path("nights")) {
            watch.nights.addLast(new Night(
                    Instant.parse(night.path("began").asText()),
                    Instant.parse(night.path("ended").asText()),
                    night.path("usableBytes").asLong()));
        }
        return watch;
    }
}
