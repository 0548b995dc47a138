// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.stage;

/**
 * The cores that one backup may use, and its share of them while others are made beside it.
 *
 * @param cores at most
 * @param threads that seal, and that compare, at most: beside others some more than cores, since only who waits for a
 *     turn can get it
 * @param share says how many now
 */
public record CoresShare(Cores cores, int threads, FairShares.Share share) {

    /** Beside others, as little as keeps a thread busy. */
    static final int LEAST_GROUPS_WAITING = 2;

    /** Of a backup that has them for itself. */
    public static CoresShare alone(Cores cores) {
        return new CoresShare(cores, cores.count(), new FairShares(cores.count()).join(FairShares.USUAL_WEIGHT));
    }

    /** Of one that may have others beside it. */
    public static CoresShare beside(Cores cores, FairShares.Share share) {
        return new CoresShare(cores, cores.count() + FairShares.SPARE_THREADS, share);
    }

    /** The same for one that is to use no more than so many cores, whoever is beside it. */
    public static CoresShare capped(Cores cores, int most, FairShares.Share share) {
        Cores fewer = cores.upTo(most);
        return new CoresShare(fewer, fewer.count(), share);
    }

    /** Threads that seal now; there are {@link #threads} in all. */
    public int sealing() {
        return Math.min(threads, share.threads());
    }

    /** Groups of chunks that may wait to be sealed now: fewer where others have theirs. */
    public int groupsWaiting() {
        return share.isAlone()
                ? cores.groupsWaiting()
                : Math.max(LEAST_GROUPS_WAITING, Math.min(sealing(), share.part()));
    }
}
