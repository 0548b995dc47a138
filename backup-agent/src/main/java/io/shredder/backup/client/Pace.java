// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.client;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Holds bytes back to a number a second, over all who share it. What nobody used for a while may go at once, up to a
 * fifth of a second's worth, so that a pace is kept on average but never made up for. Safe for any number of threads.
 */
public final class Pace {

    /** The slowest that makes sense: below it, one long chunk would take minutes. */
    public static final long MIN_BYTES_PER_SECOND = 64 << 10;

    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long BURST_NS = SECOND_NS / 5;

    private final List<Bucket> buckets;
    private final LongSupplier clockNs;
    private final LongConsumer waitNs;

    /** One limit; guarded by itself. */
    private static final class Bucket {
        private final long bytesPerSecond;
        private long freeAtNs;

        Bucket(long bytesPerSecond, long nowNs) {
            this.bytesPerSecond = bytesPerSecond;
            this.freeAtNs = nowNs - BURST_NS;
        }

        /** Takes its turn; returns when it comes, which may be past. */
        synchronized long turnNs(long bytes, long nowNs) {
            long turn = Math.max(freeAtNs, nowNs - BURST_NS);
            freeAtNs = turn + (long) ((double) bytes / bytesPerSecond * SECOND_NS);
            return freeAtNs;
        }
    }

    private Pace(List<Bucket> buckets, LongSupplier clockNs, LongConsumer waitNs) {
        this.buckets = buckets;
        this.clockNs = clockNs;
        this.waitNs = waitNs;
    }

    /** As fast as it goes. */
    public static Pace unlimited() {
        return new Pace(List.of(), System::nanoTime, LockSupport::parkNanos);
    }

    /**
     * At most this many bytes a second.
     *
     * @throws IllegalArgumentException below {@value #MIN_BYTES_PER_SECOND}
     */
    public static Pace of(long bytesPerSecond) {
        return of(bytesPerSecond, System::nanoTime, LockSupport::parkNanos);
    }

    static Pace of(long bytesPerSecond, LongSupplier clockNs, LongConsumer waitNs) {
        if (bytesPerSecond < MIN_BYTES_PER_SECOND) {
            throw new IllegalArgumentException("a rate of " + bytesPerSecond
                    + " bytes a second is too slow: use at least " + MIN_BYTES_PER_SECOND);
        }
        return new Pace(List.of(new Bucket(bytesPerSecond, clockNs.getAsLong())), clockNs, waitNs);
    }

    /** Keeps to both, which stay shared with whoever else keeps to one of them. */
    public Pace and(Pace other) {
        List<Bucket> all = new java.util.ArrayList<>(buckets);
        all.addAll(other.buckets);
        Pace timed = buckets.isEmpty() ? other : this;
        return new Pace(List.copyOf(all), timed.clockNs, timed.waitNs);
    }

    /** Waits until these bytes may go; an interrupt ends the wait and is kept. */
    public void take(long bytes) {
        for (Bucket bucket : buckets) {
            long turn = bucket.turnNs(bytes, clockNs.getAsLong());
            for (long left = turn - clockNs.getAsLong();
                    left > 0 && !Thread.currentThread().isInterrupted();
                    left = turn - clockNs.getAsLong()) {
                waitNs.accept(left);
            }
        }
    }
}
