// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.stage;

import java.io.IOException;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.Lock;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Turns at work of one kind, some at once, for several who are due different parts of it (start-time fair queueing:
 * Goyal, Vin, Cheng, Start-time Fair Queueing, SIGCOMM 1996). Everybody stands in a {@link Line}, and stands further
 * back by each turn: by its bytes, divided by the weight. Whoever stands foremost comes next, so no turn waits for
 * ever. Whoever has asked for none for a while stands where the others do: nothing is made up for. Who is woken for a
 * turn takes a while to begin, in a virtual machine as long as the turn itself: so while fewer turns are at work than
 * there are, some more are given than have ended. Safe for any number of threads.
 */
final class FairTurns {

    private final int atOnce;
    private final int ahead;
    private final Lock lock = new ReentrantLock();
    private final Queue<Turn> waiting =
            new PriorityQueue<>(Comparator.comparingDouble(Turn::start).thenComparingLong(Turn::number));

    /** Turns at work. */
    private int taken;

    /** Turns that were given to threads which have not begun. */
    private int coming;

    /** Where the turn stood that came last. */
    private double now;

    private long numbers;

    /** One that was asked for. */
    private static final class Turn {
        private final double start;
        private final long number;
        private final Condition came;
        private boolean hasCome;

        Turn(double start, long number, Condition came) {
            this.start = start;
            this.number = number;
            this.came = came;
        }

        double start() {
            return start;
        }

        long number() {
            return number;
        }
    }

    /**
     * Nobody stands in line yet.
     *
     * @param atOnce how many turns are to be at work at once, at least 1
     * @param ahead how many more are at most, since turns were given ahead
     */
    FairTurns(int atOnce, int ahead) {
        this.atOnce = atOnce;
        this.ahead = ahead;
    }

    /** Somebody who has turns, several at once if there are. */
    final class Line {

        private final int weight;
        private double next;

        private Line(int weight) {
            this.weight = weight;
        }

        /**
         * Waits for a turn and does the work, which waits for nobody.
         *
         * @param bytes how much it is
         * @throws IOException of the work, or if the thread is interrupted while it waits
         */
        <T> T turn(long bytes, StageTime.Work<T, ? extends IOException> work) throws IOException {
            await(bytes);
            try {
                return work.run();
            } finally {
                end();
            }
        }

        private void await(long bytes) throws IOException {
            lock.lock();
            try {
                Turn turn = ask(bytes);
                try {
                    while (!turn.hasCome) {
                        turn.came.await();
                    }
                } catch (InterruptedException e) {
                    leave(turn);
                    Thread.currentThread().interrupt();
                    throw new IOException("interrupted", e);
                }
                coming--;
                taken++;
            } finally {
                lock.unlock();
            }
        }

        /** Under the lock. */
        private Turn ask(long bytes) {
            Turn turn = new Turn(Math.max(now, next), numbers++, lock.newCondition());
            next = turn.start + (double) bytes / weight;
            waiting.add(turn);
            letCome();
            return turn;
        }
    }

    /** Under the lock. */
    private void leave(Turn turn) {
        if (!waiting.remove(turn)) {
            coming--;
            letCome();
        }
    }

    /** Somebody more, who stands where the others do. */
    Line line(int weight) {
        return new Line(weight);
    }

    /** How many wait for a turn. */
    int waiting() {
        lock.lock();
        try {
            return waiting.size();
        } finally {
            lock.unlock();
        }
    }

    private void end() {
        lock.lock();
        try {
            taken--;
            letCome();
        } finally {
            lock.unlock();
        }
    }

    /** Under the lock. One more than have ended, while too few are at work. */
    private void letCome() {
        while (taken + coming < atOnce && letFirstCome()) {
            // The next one, too.
        }
        if (taken < atOnce && taken + coming < atOnce + ahead) {
            var unused = letFirstCome();
        }
    }

    /** Whether somebody waits. */
    private boolean letFirstCome() {
        Turn first = waiting.poll();
        if (first == null) {
            return false;
        }
        now = first.start;
        coming++;
        first.hasCome = true;
        first.came.signal();
        return true;
    }
}
