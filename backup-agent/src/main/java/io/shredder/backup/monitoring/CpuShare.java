// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.monitoring;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** Whether a thread has taken more of a core than its share, by the processor's time. For that thread alone. */
final class CpuShare {

    /** Never held back. */
    static final double ALL = 1;

    /** What may be saved up for when much is asked at once. */
    private static final double MOST_SAVED_NS = 3e9;

    /** What may be owed, so that soon after a flood it answers again. */
    private static final double MOST_OWED_NS = 1e9;

    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final double share;
    private double savedNs = MOST_SAVED_NS;
    private long seenNs;
    private long usedNs;
    private boolean begun;

    CpuShare(double share) {
        this.share = share;
    }

    /** Whether the thread should do nothing more for now. */
    boolean isSpent() {
        if (share >= ALL) {
            return false;
        }
        long now = System.nanoTime();
        long used = THREADS.getCurrentThreadCpuTime();
        if (begun) {
            savedNs = Math.min(MOST_SAVED_NS, savedNs + share * (now - seenNs)) - (used - usedNs);
            savedNs = Math.max(-MOST_OWED_NS, savedNs);
        }
        begun = true;
        seenNs = now;
        usedNs = used;
        return savedNs <= 0;
    }
}
