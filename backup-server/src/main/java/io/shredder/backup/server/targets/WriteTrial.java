// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.targets;

import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.LongSupplier;

/**
 * Which way to write gets an image done soonest on this machine, now. Past the page cache writers wait for the disk.
 * Through it they copy one at a time, into memory that the system may have to find first, and wait where too much of it
 * is dirty. Into the mapped file they copy side by side, for twice the work. The ways differ tenfold from machine to
 * machine and from one second to the next: a virtual machine's host takes back freed memory, a cache is full. So each
 * is tried with the image's first bytes, and then one that was slower again, ever more seldom while it stays so. What
 * counts is how fast the image grows: where some wait, others compute. Safe for several threads.
 */
final class WriteTrial {

    /** With so many bytes a way is tried: a window. */
    static final long BYTES = 32 << 20;

    /** So many windows behind a trial that the other way lost it is tried again, then twice as many, and so on. */
    static final int LEAST_WINDOWS_BETWEEN = 8;

    /** A way to write. */
    enum Way {
        DIRECT,
        CACHED,
        MAPPED
    }

    private final long bytes;
    private final LongSupplier clock;
    private final List<Tried> ways;
    private Tried current;

    /** Whether the current way is tried, not chosen. */
    private boolean trying = true;

    private int windowsBetween = LEAST_WINDOWS_BETWEEN;
    private int windowsSinceTrial;

    /** Of those that are not chosen, which was tried again last. */
    private int lastAgain;

    /** The window of {@link #current}, which begins when its first write is done. */
    private boolean open;

    private long windowBytes;
    private long windowStartNs;

    private static final class Tried {
        private final Way way;
        private double nsPerByte = Double.NaN;

        Tried(Way way) {
            this.way = way;
        }

        boolean isTried() {
            return !Double.isNaN(nsPerByte);
        }
    }

    /**
     * Each way is tried with so many bytes, at least one.
     *
     * @param ways in the order of their first trials
     * @param clock nanoseconds since whenever
     */
    WriteTrial(List<Way> ways, long bytes, LongSupplier clock) {
        this.ways = ways.stream().map(Tried::new).toList();
        this.current = this.ways.get(0);
        this.bytes = bytes;
        this.clock = clock;
    }

    /** How the next bytes are to be written. */
    synchronized Way next() {
        return current.way;
    }

    /** So many bytes have been written; those that another way still had under way say nothing of this one. */
    synchronized void wrote(Way way, long count) {
        if (way != current.way) {
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
        Optional<Tried> untried = ways.stream().filter(way -> !way.isTried()).findFirst();
        if (untried.isPresent()) {
            turnTo(untried.get(), true);
            return;
        }
        Tried best = ways.stream()
                .min(Comparator.comparingDouble(way -> way.nsPerByte))
                .orElseThrow();
        if (best.nsPerByte < current.nsPerByte) {
            turnTo(best, !trying);
        } else if (trying) {
            trying = false;
            windowsBetween = LEAST_WINDOWS_BETWEEN;
        } else if (++windowsSinceTrial >= windowsBetween) {
            windowsBetween *= 2;
            turnTo(again(), true);
        }
    }

    /** One after the other of those that are not chosen; if there are none, the one that is. */
    private Tried again() {
        lastAgain = (lastAgain + 1) % ways.size();
        if (ways.get(lastAgain) == current) {
            lastAgain = (lastAgain + 1) % ways.size();
        }
        return ways.get(lastAgain);
    }

    private void turnTo(Tried way, boolean toTry) {
        current = way;
        trying = toTry;
        open = false;
        windowsSinceTrial = 0;
    }
}
