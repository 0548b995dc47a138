// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.net;

import io.shredder.backup.snapshot.SnapshotName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BooleanSupplier;

/**
 * Memory that clients share. Each may have as much as then is left for others (dynamic thresholds: Choudhury and Hahne,
 * 1998): one alone has half of it, and however many take what they can, there is some left. Thread-safe.
 */
final class ByteBudget {

    private final long totalBytes;
    private long usedBytes;
    private final Map<SnapshotName, Long> usedByClient = new HashMap<>();
    private final Set<Runnable> waiting = new LinkedHashSet<>();

    ByteBudget(long totalBytes) {
        this.totalBytes = totalBytes;
    }

    /**
     * Takes bytes if they are there.
     *
     * @param retry called once, from any thread, when some are there again; not if these were
     */
    synchronized boolean tryTake(SnapshotName client, long bytes, Runnable retry) {
        if (fits(client, bytes)) {
            take(client, bytes);
            return true;
        }
        waiting.add(retry);
        return false;
    }

    /**
     * Waits until the bytes are there, and takes them.
     *
     * @param wanted asked again at each {@link #wake}
     * @return whether they were taken; if not, they are not wanted any more
     */
    synchronized boolean take(SnapshotName client, long bytes, BooleanSupplier wanted) throws InterruptedException {
        while (!fits(client, bytes)) {
            if (!wanted.getAsBoolean()) {
                return false;
            }
            wait();
        }
        take(client, bytes);
        return true;
    }

    /**
     * Takes bytes only if so many more are left for the same client afterwards. Nobody is told when they are.
     *
     * @param beside what is to be left
     */
    synchronized boolean tryTakeBeside(SnapshotName client, long bytes, long beside) {
        if (!fits(client, bytes + beside)) {
            return false;
        }
        take(client, bytes);
        return true;
    }

    private boolean fits(SnapshotName client, long bytes) {
        return used(client) + bytes <= totalBytes - usedBytes - bytes;
    }

    private long used(SnapshotName client) {
        return usedByClient.getOrDefault(client, 0L);
    }

    private void take(SnapshotName client, long bytes) {
        usedBytes += bytes;
        usedByClient.merge(client, bytes, Long::sum);
    }

    /** Gives back what was taken, or a part of it. */
    void giveBack(SnapshotName client, long bytes) {
        synchronized (this) {
            usedBytes -= bytes;
            usedByClient.compute(client, (name, used) -> used == null || used == bytes ? null : used - bytes);
        }
        wake();
    }

    /** Has all that wait look again. */
    void wake() {
        List<Runnable> woken;
        synchronized (this) {
            notifyAll();
            woken = new ArrayList<>(waiting);
            waiting.clear();
        }
        woken.forEach(Runnable::run);
    }
}
