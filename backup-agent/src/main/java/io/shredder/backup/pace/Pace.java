// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.pace;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;

/**
 * Holds bytes back to a number a second, over all who share it. What nobody used for a while may go at once, up to a
 * fifth of a second's worth, so that a pace is kept on average but never made up for. Where the number changes, it
 * counts within a second also for those who wait already. Safe for any number of threads.
 */
public final class Pace {

    /** The slowest that makes sense: below it, one long chunk would take minutes. */
    public static final long MIN_BYTES_PER_SECOND = 64 << 10;

    /** A number of bytes a second that stands for no limit. */
    public static final long NO_LIMIT = Long.MAX_VALUE;

    private static final long SECOND_NS = TimeUnit.SECONDS.toNanos(1);
    private static final long BURST_NS = SECOND_NS / 5;

    private final List<Bucket> buckets;
    private final LongSupplier clockNs;
    private final LongConsumer waitNs;

    /** One limit; guarded by itself. Who takes bytes may go once all are granted that were taken up to then. */
    private static final class Bucket {
        private final LongSupplier bytesPerSecond;
        private long grantedAtNs;
        private double granted;
        private double taken;

        Bucket(LongSupplier bytesPerSecond, long nowNs) {
            this.bytesPerSecond = bytesPerSecond;
            this.grantedAtNs = nowNs - BURST_NS;
        }

        /** Takes its turn; returns what must be granted before it may go. */
        synchronized double take(long bytes, long nowNs) {
            grant(nowNs);
            taken += bytes;
            return taken;
        }

        /** How long until so much is granted, if the rate stays; 0 or less if it is. */
        synchronized long waitNs(double turn, long nowNs) {
            double rate = grant(nowNs);
            return (long) Math.ceil((turn - granted) / rate * SECOND_NS);
        }

        /** Grants what the time since allows. Returns the rate. */
        private double grant(long nowNs) {
            long limit = bytesPerSecond.getAsLong();
            double rate = limit;
            if (limit == NO_LIMIT) {
                granted = taken;
            } else {
                double more = rate * (nowNs - grantedAtNs) / SECOND_NS;
                granted = Math.min(granted + more, taken + rate * BURST_NS / SECOND_NS);
            }
            grantedAtNs = nowNs;
            return rate;
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
        check(bytesPerSecond);
        return varying(() -> bytesPerSecond);
    }

    /**
     * At most as many bytes a second as is said at each moment.
     *
     * @param bytesPerSecond is asked often, by many threads; {@link #NO_LIMIT}, or what {@link #check} takes
     */
    public static Pace varying(LongSupplier bytesPerSecond) {
        return varying(bytesPerSecond, System::nanoTime, LockSupport::parkNanos);
    }

    static Pace varying(LongSupplier bytesPerSecond, LongSupplier clockNs, LongConsumer waitNs) {
        return new Pace(List.of(new Bucket(bytesPerSecond, clockNs.getAsLong())), clockNs, waitNs);
    }

    /**
     * Refuses a rate that is too slow.
     *
     * @throws IllegalArgumentException below {@value #MIN_BYTES_PER_SECOND}
     */
    public static void check(long bytesPerSecond) {
        if (bytesPerSecond < MIN_BYTES_PER_SECOND) {
            throw new IllegalArgumentException("a rate of " + bytesPerSecond
                    + " bytes a second is too slow: use at least " + MIN_BYTES_PER_SECOND);
        }
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
            double turn = bucket.take(bytes, clockNs.getAsLong());
            for (long left = bucket.waitNs(turn, clockNs.getAsLong());
                    left > 0 && !Thread.currentThread().isInterrupted();
                    left = bucket.waitNs(turn, clockNs.getAsLong())) {
                waitNs.accept(Math.min(left, SECOND_NS));
            }
        }
    }
}
