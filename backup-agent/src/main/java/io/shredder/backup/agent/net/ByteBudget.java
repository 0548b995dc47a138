// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.net;

import io.shredder.backup.snapshot.SnapshotName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BooleanSupplier;

/**
 * Memory that clients share. Each may have as much as then is left for others (dynamic thresholds: Choudhury and Hahne,
 * 1998): one alone has half of it, and however many take what they can, there is some left. Thread-safe.
 */
final class ByteBudget {

    private final long totalBytes;
    private long usedBytes;
    private final Map<SnapshotName, Long> usedByClient = new HashMap<>();

    /** In the order in which they came, by who they are. */
    private final Map<Object, Waiting> waiting = new LinkedHashMap<>();

    private record Waiting(SnapshotName client, long bytes, Runnable retry) {}

    ByteBudget(long totalBytes) {
        this.totalBytes = totalBytes;
    }

    /**
     * Takes bytes if they are there.
     *
     * @param who waits for one thing at a time, whatever it is
     * @param retry called once, from any thread, when so many may be there; not if these were. It tries again, and
     *     calls {@link #wake} afterwards: what it doesn't take is for the next
     */
    synchronized boolean tryTake(SnapshotName client, long bytes, Object who, Runnable retry) {
        if (fits(client, bytes)) {
            take(client, bytes);
            return true;
        }
        waiting.put(who, new Waiting(client, bytes, retry));
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

    /** It waits no more. */
    synchronized void forget(Object who) {
        waiting.remove(who);
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

    /**
     * Has all look again that sleep, and of those that are called those for whom there is room now. If all were called
     * each time, many clients would be busy with that alone.
     */
    void wake() {
        List<Runnable> woken = new ArrayList<>();
        synchronized (this) {
            notifyAll();
            long free = totalBytes - usedBytes;
            for (Iterator<Waiting> all = waiting.values().iterator(); free > 0 && all.hasNext(); ) {
                Waiting next = all.next();
                if (used(next.client()) + next.bytes() <= free - next.bytes()) {
                    free -= next.bytes();
                    woken.add(next.retry());
                    all.remove();
                }
            }
        }
        woken.forEach(Runnable::run);
    }
}
