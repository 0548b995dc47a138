// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.store;

import io.shredder.backup.agent.collect.CollectionProgress;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Optional;

/**
 * The last collection and verification since the repository was opened, whoever has asked for them: for those who look.
 * Thread-safe.
 */
public final class UpkeepSeen {

    private final InstantSource clock;
    private Optional<Collection> collection = Optional.empty();
    private Optional<Verification> verification = Optional.empty();

    /**
     * A collection.
     *
     * @param at when its last step ended
     * @param progress how far it came then
     * @param underWay whether it goes on
     * @param problems how many containers had to be left as they are
     */
    public record Collection(Instant at, CollectionProgress progress, boolean underWay, int problems) {}

    /**
     * What was read of all that is kept.
     *
     * @param at when the last part was
     * @param chunks that were read since the repository was opened
     * @param bytes their length
     * @param problems how many were found; one that is read twice counts twice
     */
    public record Verification(Instant at, long chunks, long bytes, long problems) {}

    UpkeepSeen(InstantSource clock) {
        this.clock = clock;
    }

    /** A collection begins. */
    synchronized void collectionBegins() {
        collection = Optional.empty();
    }

    /** It took a step. */
    synchronized void collected(CollectionProgress progress) {
        int before = collection.map(Collection::problems).orElse(0);
        collection = Optional.of(new Collection(
                clock.instant(),
                progress,
                !progress.done(),
                before + progress.problems().size()));
    }

    /** It is over, if it was not before: whoever asked for it is gone, or it failed. */
    synchronized void collectionEnds() {
        collection = collection.map(last -> new Collection(last.at(), last.progress(), false, last.problems()));
    }

    /** A part was read. */
    public synchronized void verified(long chunks, long bytes, int problems) {
        Verification before = verification.orElse(new Verification(Instant.EPOCH, 0, 0, 0));
        verification = Optional.of(new Verification(
                clock.instant(), before.chunks() + chunks, before.bytes() + bytes, before.problems() + problems));
    }

    /** The last one that was no dry run; empty before its first step. */
    public synchronized Optional<Collection> collection() {
        return collection;
    }

    /** Empty before the first part. */
    public synchronized Optional<Verification> verification() {
        return verification;
    }
}
