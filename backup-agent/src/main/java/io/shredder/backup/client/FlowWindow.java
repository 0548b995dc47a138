// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.client;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;

/**
 * How many bytes may be under way on a connection: little on a short way, where more would only wait in memory, and on
 * a long one as much as is needed to fill it. Grows once, when the first answers have shown how long the way is. An
 * agent with many clients allows less; of that, what the way itself holds is not taken away, since it waits nowhere.
 * Whoever waits longest is next. Safe for several threads.
 */
final class FlowWindow {

    static final int START_BYTES = 8 << 20;

    /** The same where there are several connections, so that many cores fill them: a shorter one made them wait. */
    static final int FURTHER_START_BYTES = 16 << 20;

    static final int MAX_BYTES = 32 << 20;

    private static final int SAMPLES = 8;
    private static final double BYTES_PER_NS = 1; // 1 GB/s.

    private final Queue<Waiting> waiting = new ArrayDeque<>();
    private int wantedBytes;
    private int allowedBytes = MAX_BYTES;
    private int samples;
    private long shortestNs = Long.MAX_VALUE;
    private long underWay;

    /** Somebody who waits for room, until it was given to him. */
    private record Waiting(int bytes, CountDownLatch given) {}

    /** Begins with room for so many bytes, at most {@link #MAX_BYTES}. */
    FlowWindow(int startBytes) {
        this.wantedBytes = startBytes;
    }

    /**
     * Waits for room; {@link #release} gives it back. There is always some for one alone, also if it takes more than
     * may be under way.
     */
    void acquire(int count) throws InterruptedException {
        Waiting own = new Waiting(count, new CountDownLatch(1));
        synchronized (this) {
            waiting.add(own);
            give();
        }
        try {
            own.given.await();
        } catch (InterruptedException e) {
            giveUp(own);
            throw e;
        }
    }

    private synchronized void giveUp(Waiting own) {
        if (!waiting.remove(own)) {
            underWay -= own.bytes;
        }
        give();
    }

    synchronized void release(int count) {
        underWay -= count;
        give();
    }

    /** Under the lock, after each change. */
    private void give() {
        for (Waiting next = waiting.peek();
                next != null && (underWay == 0 || underWay + next.bytes <= bytes());
                next = waiting.peek()) {
            waiting.remove();
            underWay += next.bytes;
            next.given.countDown();
        }
    }

    /** An answer took this long. Work and queues only make it longer: the shortest is nearest to the way's time. */
    synchronized void answered(long elapsedNs) {
        samples++;
        shortestNs = Math.min(shortestNs, elapsedNs);
        if (samples == SAMPLES) {
            wantedBytes = Math.max(wantedBytes, onTheWay());
            give();
        }
    }

    /** What the way holds itself, as far as is known. */
    private int onTheWay() {
        return (int) Math.min(MAX_BYTES, shortestNs * BYTES_PER_NS);
    }

    /** The agent has room for so many bytes from now on. */
    synchronized void allow(int bytes) {
        allowedBytes = bytes;
        give();
    }

    /** How many bytes may be under way now. */
    synchronized int bytes() {
        return Math.min(wantedBytes, Math.max(allowedBytes, onTheWay()));
    }
}
