// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.stage;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * Shares cores, and the way to the agent, among the images that are backed up at once, by their weights; the engine
 * does the same with its devices. An image alone has all; what one leaves, others get. Sealing and comparing are done
 * in turns ({@link FairTurns}), as many at once as there are cores, of sealing half as many more, since who is woken
 * for one takes a while to begin. What is on its way to the agent is bounded, so that an image of half the weight has
 * half as much of it there. One that waits for its agent holds no turn, so nobody waits for it. Safe for any number of
 * threads.
 */
public final class FairShares {

    /** The weight of an image of which nobody says one. */
    public static final int USUAL_WEIGHT = 100;

    /** The greatest weight; the least is 1. */
    public static final int MAX_WEIGHT = 1000;

    /** At most so many threads more than its part of the cores, so that an image due a turn waits for one. */
    public static final int SPARE_THREADS = 3;

    /** Of many images' together, where each has fewer: more would only wake each other. */
    private static final int SPARE_THREADS_IN_ALL = 16;

    private final int cores;
    private final FairTurns sealing;
    private final FairTurns comparing;
    private final List<Share> shares = new CopyOnWriteArrayList<>();

    /** Nobody has joined yet. */
    public FairShares(int cores) {
        this.cores = cores;
        this.sealing = new FairTurns(cores + (cores + 1) / 2, cores);
        this.comparing = new FairTurns(cores, 0);
    }

    /** Threads more than its part of the cores, of each of so many images. */
    static int spareThreads(int images) {
        return Math.max(1, Math.min(SPARE_THREADS, SPARE_THREADS_IN_ALL / images));
    }

    /** Another image from now on, of a weight from 1 to {@value #MAX_WEIGHT}. */
    public Share join(int weight) {
        Share share = new Share(weight);
        synchronized (this) {
            shares.add(share);
            divide();
        }
        shares.forEach(Share::tellWatchers);
        return share;
    }

    private void leave(Share share) {
        synchronized (this) {
            shares.remove(share);
            divide();
        }
        shares.forEach(Share::tellWatchers);
    }

    private void divide() {
        int sum = shares.stream().mapToInt(share -> share.weight).sum();
        int heaviest = shares.stream().mapToInt(share -> share.weight).max().orElse(1);
        for (Share share : shares) {
            int part = (int) (((long) cores * share.weight + sum - 1) / sum);
            share.alone = shares.size() == 1;
            share.part = part;
            share.threads = share.alone ? cores : part + spareThreads(shares.size());
            share.ofHeaviest = (double) share.weight / heaviest;
        }
    }

    /** What one image may have; closed when its backup has ended. */
    public final class Share implements AutoCloseable {

        private final int weight;
        private final FairTurns.Line seals;
        private final FairTurns.Line comparisons;
        private final List<Runnable> watchers = new CopyOnWriteArrayList<>();
        private final Object way = new Object();
        private volatile int threads = 1;
        private volatile int part = 1;
        private volatile boolean alone;
        private volatile double ofHeaviest = 1;
        private long underWayBytes;

        private Share(int weight) {
            if (weight < 1 || weight > MAX_WEIGHT) {
                throw new IllegalArgumentException("weight " + weight + " is not from 1 to " + MAX_WEIGHT);
            }
            this.weight = weight;
            this.seals = sealing.line(weight);
            this.comparisons = comparing.line(weight);
        }

        /** From 1 to {@value #MAX_WEIGHT}, of who has joined. */
        public int weight() {
            return weight;
        }

        /** With how many threads it may work now, at least 1. */
        public int threads() {
            return threads;
        }

        /** How many cores are its part now, at least 1. */
        int part() {
            return part;
        }

        /** Whether there is no other image now. */
        public boolean isAlone() {
            return alone;
        }

        /** From now on is told, after each change, that {@link #threads} may be another. */
        public void watch(Runnable watcher) {
            watchers.add(watcher);
        }

        private void tellWatchers() {
            watchers.forEach(Runnable::run);
            synchronized (way) {
                way.notifyAll();
            }
        }

        /** Seals so many bytes when it is their turn; the work waits for nobody. */
        public <T> T seal(long bytes, StageTime.Work<T, ? extends IOException> work) throws IOException {
            return seals.turn(bytes, work);
        }

        /** Compares so many bytes when it is their turn. */
        public <T> T compare(long bytes, StageTime.Work<T, ? extends IOException> work) throws IOException {
            return comparisons.turn(bytes, work);
        }

        /**
         * Waits until so many bytes more may be on their way to the agent: as many as the connections have room for, to
         * an image of the greatest weight. {@link #arrived} once they are there, or lost.
         *
         * @param windowBytes how many the connections have room for
         */
        public void depart(long bytes, long windowBytes) throws IOException {
            synchronized (way) {
                try {
                    while (underWayBytes > 0 && ofHeaviest < 1 && underWayBytes + bytes > windowBytes * ofHeaviest) {
                        way.wait();
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new IOException("interrupted", e);
                }
                underWayBytes += bytes;
            }
        }

        /** So many bytes that departed are on their way no longer. */
        public void arrived(long bytes) {
            synchronized (way) {
                underWayBytes -= bytes;
                way.notifyAll();
            }
        }

        /** The others have its part. */
        @Override
        public void close() {
            leave(this);
        }
    }
}
