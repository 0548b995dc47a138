// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.live;

import java.util.OptionalLong;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;

/** What whoever uses a target does, as far as who fills it behind him gives way to that. Any number of threads. */
final class GuestTraffic {

    /** Places that were missed and not yet filled; what is forgotten is filled in its turn. */
    private static final int MOST_MISSED = 256;

    private final ArrayBlockingQueue<Long> missed = new ArrayBlockingQueue<>(MOST_MISSED);
    private int underWay;

    /** Some work of a guest. */
    interface Work {
        void run() throws java.io.IOException;
    }

    /** Does a guest's work; who fills waits meanwhile. */
    void during(Work work) throws java.io.IOException {
        synchronized (this) {
            underWay++;
        }
        try {
            work.run();
        } finally {
            synchronized (this) {
                underWay--;
                notifyAll();
            }
        }
    }

    /** A guest had to wait for what is here: its neighbourhood is wanted before all else. */
    void missed(long offset) {
        var unused = missed.offer(offset);
    }

    /** Where a guest has missed something. */
    OptionalLong nextMissed() {
        Long next = missed.poll();
        return next == null ? OptionalLong.empty() : OptionalLong.of(next);
    }

    /** Waits until no guest waits for anything, but no longer than this. */
    synchronized void awaitQuiet(long mostMs) throws InterruptedException {
        long untilNs = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(mostMs);
        for (long leftMs = mostMs; underWay > 0 && leftMs > 0; ) {
            wait(leftMs);
            leftMs = TimeUnit.NANOSECONDS.toMillis(untilNs - System.nanoTime());
        }
    }
}
