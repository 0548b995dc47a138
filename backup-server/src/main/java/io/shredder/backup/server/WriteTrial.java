// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import java.util.function.LongSupplier;

/**
 * Which of two ways to write gets an image done sooner on this machine, now. Past the page cache writers wait for the disk; through it they copy, into
 * memory that the system may have to find first, and wait where too much of it is dirty. Both differ tenfold from machine to machine and from one second to
 * the next (a virtual machine whose host takes back memory that was freed; a cache that is full), so each is tried with the image's first bytes, and then
 * the one that was slower again, ever more seldom while it stays so. What counts is how fast the image grows: where some wait, others compute. Safe for several
 * threads.
 */
final class WriteTrial {

    /** With so many bytes a way is tried: a window. */
    static final long BYTES = 32 << 20;

    /** So many windows behind a trial that the other way lost it is tried again, then twice as many, and so on. */
    static final int LEAST_WINDOWS_BETWEEN = 8;

    private final long bytes;
    private final LongSupplier clock;
    private final Way direct = new Way();
    private final Way cached = new Way();
    private Way current = direct;

    /** Whether the current way is tried, not chosen. */
    private boolean trying = true;

    private int windowsBetween = LEAST_WINDOWS_BETWEEN;
    private int windowsSinceTrial;

    /** The window of {@link #current}, which begins when its first write is done. */
    private boolean open;

    private long windowBytes;
    private long windowStartNs;

    private static final class Way {
        private double nsPerByte = Double.NaN;

        boolean isTried() {
            return !Double.isNaN(nsPerByte);
        }
    }

    /**
     * Each way is tried with so many bytes, at least one, the direct one first.
     *
     * @param clock nanoseconds since whenever
     */
    WriteTrial(long bytes, LongSupplier clock) {
        this.bytes = bytes;
        this.clock = clock;
    }

    /** Whether the next bytes are to be written past the page cache. */
    synchronized boolean isDirectNext() {
        return current == direct;
    }

    /** So many bytes have been written; those that the other way still had under way say nothing of this one. */
    synchronized void wrote(boolean directly, long count) {
        if (directly != (current == direct)) {
            return;
        }
        long nowNs = clock.getAsLong();
        if (!open) {
            open(nowNs);
            return;
        }
        windowBytes += count;
        if (windowBytes >= bytes) {
            double nsPerByte = (double) (nowNs - windowStartNs) / windowBytes;
            // Half of what is known is the last window: one that others slowed down decides little.
            current.nsPerByte = trying ? nsPerByte : (current.nsPerByte + nsPerByte) / 2;
            open(nowNs);
            choose();
        }
    }

    private void open(long nowNs) {
        open = true;
        windowBytes = 0;
        windowStartNs = nowNs;
    }

    private void choose() {
        Way other = current == direct ? cached : direct;
        if (!other.isTried()) {
            turnTo(other, true);
        } else if (other.nsPerByte < current.nsPerByte) {
            turnTo(other, !trying);
        } else if (trying) {
            trying = false;
            windowsBetween = LEAST_WINDOWS_BETWEEN;
        } else if (++windowsSinceTrial >= windowsBetween) {
            windowsBetween *= 2;
            turnTo(other, true);
        }
    }

    private void turnTo(Way way, boolean toTry) {
        current = way;
        trying = toTry;
        open = false;
        windowsSinceTrial = 0;
    }
}
