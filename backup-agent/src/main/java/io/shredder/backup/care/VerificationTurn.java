// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.care;

import io.shredder.backup.wire.Answer;
import java.io.IOException;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/**
 * One run of a verification in turn. Each goes on where the last one ended, in the order of containers, which is that
 * of their making, so that nothing is passed over, whatever is collected or added meanwhile. A run reads as much of the
 * whole as its share of the time in which all is to be read, and a tenth more. What was damaged is read again each
 * time, until it is sound or gone.
 */
public final class VerificationTurn {

    private static final double MARGIN = 1.1;
    private static final Duration FIRST_SHARE = Duration.ofDays(1);

    /** Parts that are read again each time; a store with more damage is told of anyway. */
    private static final int MOST_OPEN = 100;

    /** Each so many answers the way so far is kept. */
    private static final int ANSWERS_BETWEEN_NOTES = 64;

    private final CareLedger ledger;
    private final String name;
    private final Duration allIn;
    private final Clock clock;

    /** What is verified. */
    public interface Store {

        /** How many chunks it has. */
        long chunks() throws IOException;

        /** Reads and digests the part behind a cursor, 0 for the first. */
        Answer.Verified verify(long cursor) throws IOException;
    }

    /**
     * What a run has read.
     *
     * @param chunks that were read
     * @param bytes of them
     * @param passBegan since when all is being read once
     * @param open what is damaged, a list of lines for each part
     * @param late why it takes longer than it may; empty if it doesn't
     */
    public record Result(
            long chunks, long bytes, Instant passBegan, Collection<List<String>> open, Optional<String> late) {

        /** Keeps a copy. */
        public Result {
            open = List.copyOf(open);
        }
    }

    /**
     * A run to be made.
     *
     * @param ledger knows how far the one before came
     * @param name under which
     * @param allIn all is to be read once in so long
     */
    public VerificationTurn(CareLedger ledger, String name, Duration allIn, Clock clock) {
        this.ledger = ledger;
        this.name = name;
        this.allIn = allIn;
        this.clock = clock;
    }

    private static final class Read {
        private final SortedMap<Long, List<String>> open = new TreeMap<>();
        private long chunks;
        private long bytes;
        private long cursor;
        private boolean toTheEnd;

        private Read(CareLedger.Turn turn) {
            cursor = turn.cursor();
            open.putAll(turn.open());
        }

        /** Takes what is said of the part behind a cursor. */
        private void note(long behind, Answer.Verified part) {
            chunks += part.chunks();
            bytes += part.bytes();
            if (part.problems().isEmpty()) {
                open.remove(behind);
            } else if (open.containsKey(behind) || open.size() < MOST_OPEN) {
                open.put(behind, List.copyOf(part.problems()));
            }
        }
    }

    /**
     * Reads this run's share.
     *
     * @param givenUp asked between parts; what was read counts
     * @throws IOException if the store can't be asked, or the run was given up
     */
    public Result run(Store store, BooleanSupplier givenUp) throws IOException {
        Instant now = clock.instant();
        CareLedger.Turn turn = ledger.turn(name).orElse(new CareLedger.Turn(0, now, now.minus(FIRST_SHARE), Map.of()));
        Instant passBegan = turn.cursor() == 0 ? now : turn.passBegan();
        Read read = new Read(turn);
        long wanted = share(turn, now, store.chunks());
        try {
            for (long behind : turn.open().keySet()) {
                read.note(behind, store.verify(behind));
            }
            read(store, read, wanted, new Times(passBegan, turn.lastRun(), givenUp));
        } finally {
            // Also if it is given up: what was read counts.
            note(read, passBegan, clock.instant());
        }
        return new Result(read.chunks, read.bytes, passBegan, read.open.values(), late(passBegan, read.toTheEnd));
    }

    private record Times(Instant passBegan, Instant lastRun, BooleanSupplier givenUp) {}

    private void note(Read read, Instant passBegan, Instant lastRun) throws IOException {
        ledger.set(name, new CareLedger.Turn(read.cursor, passBegan, lastRun, read.open));
    }

    /** How many chunks this run owes. */
    private long share(CareLedger.Turn turn, Instant now, long all) {
        double days = Duration.between(turn.lastRun(), now).toMillis() / (double) allIn.toMillis();
        return (long) Math.ceil(all * Math.max(0, Math.min(1, days * MARGIN)));
    }

    private void read(Store store, Read read, long wanted, Times times) throws IOException {
        long again = read.chunks;
        for (int answers = 1; !read.toTheEnd && (read.chunks - again < wanted || answers == 1); answers++) {
            Answer.Verified part = store.verify(read.cursor);
            read.note(read.cursor, part);
            read.cursor = part.nextCursor();
            read.toTheEnd = read.cursor == 0;
            if (answers % ANSWERS_BETWEEN_NOTES == 0) {
                // If the daemon is killed, this run's share is still owed.
                note(read, times.passBegan(), times.lastRun());
            }
            if (times.givenUp().getAsBoolean()) {
                throw new IOException("verification was given up");
            }
        }
    }

    private Optional<String> late(Instant passBegan, boolean toTheEnd) {
        Duration took = Duration.between(passBegan, clock.instant());
        return took.compareTo(allIn) > 0
                ? Optional.of("all that is kept should be read in " + allIn.toDays() + " days, and "
                        + (toTheEnd ? "that took " : "this has lasted ") + took.toDays()
                        + ": let it run oftener, or give it more time")
                : Optional.empty();
    }
}
