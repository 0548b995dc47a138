// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.scale;

/** When the next bytes of one direction of a link may go. Safe for use from several threads, which share the rate. */
final class TokenBucket {
    /** What a link may have let pass at once after it was idle. */
    private static final double MOST_SAVED_NS = 1e6;

    private final double nsPerByte;
    private double freeNs; // guarded by this; from when on the link is free

    /** A link that is idle at first. */
    TokenBucket(double bytesPerSecond) {
        this.nsPerByte = 1e9 / bytesPerSecond;
        this.freeNs = Double.NEGATIVE_INFINITY;
    }

    /**
     * Takes the link for some bytes.
     *
     * @param nowNs of a clock that only goes forward
     * @return how long to wait before they go, in nanoseconds; 0 for at once
     */
    synchronized long take(int bytes, long nowNs) {
        freeNs = Math.max(freeNs, nowNs - MOST_SAVED_NS) + bytes * nsPerByte;
        return Math.max(0, (long) (freeNs - nowNs));
    }
}
