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
    static final int MAX_BYTES = 32 << 20;

    private static final int SAMPLES = 8;
    private static final double BYTES_PER_NS = 1; // 1 GB/s.

    private final Semaphore permits = new Semaphore(START_BYTES);
    private int samples;
    private long shortestNs = Long.MAX_VALUE;
    private volatile int bytes = START_BYTES;

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
            if (wanted > START_BYTES) {
                permits.release(wanted - START_BYTES);
                bytes = wanted;
            }
        }
    }

    /** How many bytes may be under way now. */
    int bytes() {
        return bytes;
    }
}
