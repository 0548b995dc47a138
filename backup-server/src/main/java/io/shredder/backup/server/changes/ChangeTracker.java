// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.changes;

import io.shredder.backup.server.trust.ProvedSnapshot;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * Says for one image which bytes may have changed since a snapshot. A snapshot and a state of the image belong together
 * by their <em>point</em>: a name that the tracker gives to the moment, which the snapshot carries as a tag, sealed
 * with it. So nothing but the snapshot itself decides what a list of changes counts from.
 */
public interface ChangeTracker {

    /** What an image is tagged with: {@code point=} and the point. */
    String POINT_TAG = "point=";

    /** A snapshot of which every byte was read. */
    String WHOLE_TAG = "read-whole";

    /** Clocks are set back by less, when all is well. */
    Duration WRONG_CLOCK = Duration.ofDays(1);

    /** How many tags of a snapshot are these. */
    int OWN_TAGS = 2;

    /** The moment of which the image is; at most 25 of the characters that a tag may have. */
    String point();

    /** How old the last snapshot may be of which every byte was read, before every byte is read again. */
    Duration wholeEvery();

    /**
     * What may have changed since a point; asked once, before the image is read.
     *
     * @param lastPoint of the series' last snapshot, of which this site has all that it needs
     * @return not there if it can't be told; then {@link #reason} says why
     */
    Optional<ChangedRanges> since(String lastPoint) throws IOException;

    /** Why the last answer was none, in a few words. */
    String reason();

    /** The point that a snapshot belongs to, if it was made with one. */
    static Optional<String> pointOf(ProvedSnapshot snapshot) {
        return snapshot.summary().remarks().tags().stream()
                .filter(tag -> tag.startsWith(POINT_TAG))
                .map(tag -> tag.substring(POINT_TAG.length()))
                .findFirst();
    }

    /**
     * Whether every byte is to be read again. A time far ahead is of a clock that was wrong, and puts nothing off.
     *
     * @param last when that was last done, if ever
     */
    static boolean isWholeDue(Optional<Instant> last, Instant now, Duration every) {
        return last.filter(now.minus(every)::isBefore)
                .filter(now.plus(WRONG_CLOCK)::isAfter)
                .isEmpty();
    }

    /** Whether every byte of a snapshot was read when it was made. */
    static boolean wasReadWhole(ProvedSnapshot snapshot) {
        return snapshot.summary().remarks().tags().contains(WHOLE_TAG);
    }
}
