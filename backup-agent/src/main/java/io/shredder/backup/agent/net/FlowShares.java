// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.net;

import io.shredder.backup.snapshot.SnapshotName;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/**
 * How much each connection should have under way: its share of what caches hold and threads have a use for. Clients
 * that brought or fetched chunks lately have the same, each divided among its connections; a client that is alone has
 * no limit. What is under way beyond that is no faster, since it waits in memory. Thread-safe.
 */
final class FlowShares {

    /** As much as the client likes. */
    static final int NO_LIMIT = Integer.MAX_VALUE;

    /** A longer request has this to itself. */
    private static final int LEAST_BYTES = 256 << 10;

    private static final long LATELY_NS = TimeUnit.MILLISECONDS.toNanos(500);

    private final long totalBytes;
    private final LongSupplier clockNs;
    private final Set<Share> shares = new LinkedHashSet<>();
    private volatile long countedNs;
    private volatile Map<SnapshotName, Integer> busyConnections = Map.of();

    /** @param totalBytes that all together should have under way */
    FlowShares(long totalBytes) {
        this(totalBytes, System::nanoTime);
    }

    FlowShares(long totalBytes, LongSupplier clockNs) {
        this.totalBytes = totalBytes;
        this.clockNs = clockNs;
        this.countedNs = clockNs.getAsLong();
    }

    /** One connection's; to be closed with it. */
    final class Share implements AutoCloseable {

        private final SnapshotName client;
        private volatile boolean busy;
        private volatile int bytes = NO_LIMIT;

        private Share(SnapshotName client) {
            this.client = client;
        }

        /** A request for chunks, or with some, has come. Returns the share if it is another than before. */
        OptionalInt used() {
            busy = true;
            if (clockNs.getAsLong() - countedNs > LATELY_NS) {
                count();
            }
            int now = bytesFor(client);
            if (now == bytes) {
                return OptionalInt.empty();
            }
            bytes = now;
            return OptionalInt.of(now);
        }

        /** As it was when it was used last. */
        int bytes() {
            return bytes;
        }

        @Override
        public void close() {
            leave(this);
        }
    }

    synchronized Share join(SnapshotName client) {
        Share share = new Share(client);
        shares.add(share);
        return share;
    }

    private synchronized void leave(Share share) {
        shares.remove(share);
    }

    private synchronized void count() {
        long nowNs = clockNs.getAsLong();
        if (nowNs - countedNs <= LATELY_NS) {
            return; // Another thread has.
        }
        Map<SnapshotName, Integer> counted = new HashMap<>();
        for (Share share : shares) {
            if (share.busy) {
                share.busy = false;
                counted.merge(share.client, 1, Integer::sum);
            }
        }
        busyConnections = counted;
        countedNs = nowNs;
    }

    /** A power of two, so that it seldom changes. */
    private int bytesFor(SnapshotName client) {
        Map<SnapshotName, Integer> busy = busyConnections;
        if (busy.size() <= 1) {
            return NO_LIMIT;
        }
        long each = totalBytes / busy.size() / busy.getOrDefault(client, 1);
        return (int) Math.max(LEAST_BYTES, Math.min(1 << 30, Long.highestOneBit(Math.max(1, each))));
    }
}
