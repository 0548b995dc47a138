// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.client;

import java.util.concurrent.Semaphore;

/**
 * How many bytes may be under way on a connection: little on a short way, where more would only wait in memory, and on
 * a long one as much as is needed to fill it. Grows once, when the first answers have shown how long the way is. Safe
 * for several threads.
 */
final class FlowWindow {

    static final int START_BYTES = 8 << 20;

    /** The same where there are several connections, so that many cores fill them: a shorter one made them wait. */
    static final int FURTHER_START_BYTES = 16 << 20;

    static final int MAX_BYTES = 32 << 20;

    private static final int SAMPLES = 8;
    private static final double BYTES_PER_NS = 1; // 1 GB/s.

    private final int startBytes;
    private final Semaphore permits;
    private int samples;
    private long shortestNs = Long.MAX_VALUE;
    private volatile int bytes;

    /** Begins with room for so many bytes, at most {@link #MAX_BYTES}. */
    FlowWindow(int startBytes) {
        this.startBytes = startBytes;
        this.permits = new Semaphore(startBytes);
        this.bytes = startBytes;
    }

    /** Waits for room; {@link #release} gives it back. */
    void acquire(int count) throws InterruptedException {
        permits.acquire(count);
    }

    void release(int count) {
        permits.release(count);
    }

    /** An answer took this long. Work and queues only make it longer: the shortest is nearest to the way's time. */
    synchronized void answered(long elapsedNs) {
        if (samples >= SAMPLES) {
            return;
        }
        samples++;
        shortestNs = Math.min(shortestNs, elapsedNs);
        if (samples == SAMPLES) {
            int wanted = (int) Math.min(MAX_BYTES, shortestNs * BYTES_PER_NS);
            if (wanted > startBytes) {
                permits.release(wanted - startBytes);
                bytes = wanted;
            }
        }
    }

    /** How many bytes may be under way now. */
    int bytes() {
        return bytes;
    }
}
