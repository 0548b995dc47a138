// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal;

import java.util.Arrays;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * How quickly a keeper answers what is read: moving averages of latency and rate, and how much longer than expected
 * answers took. What is under way counts as soon as it takes longer than is expected. Times are those of
 * {@link System#nanoTime}. Safe for any number of threads.
 */
final class KeeperPace {

    /** Fewer bytes tell the latency, more of them the rate. */
    private static final int FEW_BYTES = 16 << 10;

    private static final double WEIGHT = 0.25;
    private static final double QUICKER_WEIGHT = 0.75;
    private static final int MOST_RATIOS = 64;
    private static final double USUAL_RATIO = 4;

    /** No answer is late before: disks and the scheduler take so long now and then. */
    static final long LEAST_LATE_NS = 20_000_000;

    /** Under way since then, the oldest first. */
    private final Set<Begun> underWay = new LinkedHashSet<>();

    private final double[] ratios = new double[MOST_RATIOS];
    private int ratioCount;

    /** Of 19 of 20 of the ratios, when they were so many. */
    private double lateRatio = USUAL_RATIO;

    private int lateRatioCount;
    private double latencyNs;
    private double nsPerByte;
    private boolean knowsLatency;
    private boolean knowsRate;
    private boolean failed;
    private boolean asked;
    private long lastAskedNs;

    /** A read that is under way. By identity. */
    static final class Begun {

        private final long bytes;
        private final long sinceNs;

        private Begun(long bytes, long sinceNs) {
            this.bytes = bytes;
            this.sinceNs = sinceNs;
        }
    }

    /** A read of so many bytes begins; of fewer than none nothing follows. */
    synchronized Begun begin(long bytes, long nowNs) {
        Begun begun = new Begun(bytes, nowNs);
        underWay.add(begun);
        asked = true;
        lastAskedNs = nowNs;
        return begun;
    }

    /** It was answered with what was wanted. */
    synchronized void answered(Begun begun, long nowNs) {
        underWay.remove(begun);
        failed = false;
        if (begun.bytes < 0) {
            return;
        }
        double tookNs = nowNs - begun.sinceNs;
        double expectedNs = averageNs(begun.bytes);
        if (expectedNs > 0) {
            ratios[ratioCount++ % MOST_RATIOS] = tookNs / expectedNs;
        }
        if (begun.bytes < FEW_BYTES) {
            latencyNs = knowsLatency ? moved(latencyNs, tookNs) : tookNs;
            knowsLatency = true;
        } else {
            double sample = Math.max(0, tookNs - latencyNs) / begun.bytes;
            nsPerByte = knowsRate ? moved(nsPerByte, sample) : sample;
            knowsRate = true;
        }
    }

    /** One that is quick again is believed sooner than one that is slow for once. */
    private static double moved(double average, double sample) {
        return average + (2 * sample < average ? QUICKER_WEIGHT : WEIGHT) * (sample - average);
    }

    /** The keeper said that it hasn't got it, or has something else. */
    synchronized void said(Begun begun) {
        underWay.remove(begun);
    }

    /** There was no answer; until there is one to something else, all others are quicker. */
    synchronized void failed(Begun begun) {
        underWay.remove(begun);
        failed = true;
    }

    private double averageNs(long bytes) {
        return latencyNs + nsPerByte * bytes;
    }

    /** How long an answer of so many bytes will take; 0 if nothing is known. */
    synchronized long expectedNs(long bytes, long nowNs) {
        if (failed) {
            return Long.MAX_VALUE;
        }
        Iterator<Begun> oldest = underWay.iterator();
        double average = averageNs(bytes);
        if (oldest.hasNext()) {
            Begun begun = oldest.next();
            double waited = nowNs - begun.sinceNs;
            if (begun.bytes >= 0 && waited > lateNs(begun.bytes)) {
                return (long) Math.max(average, waited);
            }
        }
        return (long) average;
    }

    /** After how long an answer is later than 19 of 20 were. */
    synchronized long lateNs(long bytes) {
        if (lateRatioCount != ratioCount) {
            lateRatioCount = ratioCount;
            lateRatio = lateRatio();
        }
        return Math.max(LEAST_LATE_NS, (long) (lateRatio * averageNs(bytes)));
    }

    private double lateRatio() {
        int count = Math.min(ratioCount, MOST_RATIOS);
        if (count < MOST_RATIOS / 4) {
            return USUAL_RATIO;
        }
        double[] sorted = Arrays.copyOf(ratios, count);
        Arrays.sort(sorted);
        return sorted[count * 19 / 20];
    }

    /** Whether nothing is under way, and nothing was for so long that what is known may be old. */
    synchronized boolean mayBeOld(long nowNs, long afterNs) {
        return underWay.isEmpty() && (!asked || nowNs - lastAskedNs > afterNs);
    }
}
