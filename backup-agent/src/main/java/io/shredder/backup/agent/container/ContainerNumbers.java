// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.container;

/**
 * Gives containers their numbers, and none that an earlier process may have given to one that is still on its way. So
 * many are left out behind the last container that is there. That is enough if each process has its first one there
 * before it begins others: the next process counts from that one. Guarded by the lock of its {@link ContainerWriters},
 * but for {@link #isFirstThere}.
 */
final class ContainerNumbers {

    private final int leftOut;

    /** Those up to this one were there, or may still come. */
    private int taken;

    private int last;
    private volatile boolean firstThere;

    /**
     * Begins.
     *
     * @param there number of the last container that is there; 0 if none is
     * @param leftOut how many may still come; 0 where a container is there as soon as it is begun
     */
    ContainerNumbers(int there, int leftOut) {
        this.leftOut = leftOut;
        this.taken = there + leftOut;
        this.last = taken;
        this.firstThere = leftOut == 0;
    }

    /** The last one that was given. */
    int last() {
        return last;
    }

    /** Gives one. */
    int next() {
        return ++last;
    }

    /** The last ones that were given are free again, down to this one. */
    void giveBackTo(int lastUsed) {
        last = Math.max(lastUsed, taken);
    }

    /** What has this number came late, so others may behind it. */
    void passBy(int late) {
        taken = late + leftOut;
        last = taken;
    }

    /** Whether the next process will count from a container of this one. */
    boolean isFirstThere() {
        return firstThere;
    }

    /** The first container is there, durably. */
    void noteFirst() {
        firstThere = true;
    }
}
