// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal;

import com.google.common.util.concurrent.Striped;
import io.shredder.backup.agent.dispersal.shard.Groups;
import io.shredder.backup.agent.dispersal.shard.StoredVersion;
import java.io.Closeable;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.Lock;
import java.util.function.LongSupplier;

/**
 * The shards of versions that somebody reads. Those who read one side by side, as the requests of a restore are read,
 * share them: to open a shard costs some answers of its keeper, which may be far away. Safe for any number of threads.
 */
final class OpenShards {

    /** Who opens a version later looks again which keepers have it. */
    private static final long MOST_AGE_NS = 10_000_000_000L;

    /** The same where a keeper had none: it may be back, or mended. */
    private static final long MOST_AGE_WITH_FEWER_NS = 1_000_000_000L;

    /** So many that hardly ever one version waits for another, whose keepers may hang. */
    private static final int LOCKS = 1 << 16;

    private final Keepers keepers;
    private final LongSupplier clockNs;
    private final Map<StoredVersion, Shared> last = new HashMap<>();

    /** One opens a version, and others wait for that. */
    private final Striped<Lock> opening = Striped.lazyWeakLock(LOCKS);

    /** Opens nothing yet. */
    OpenShards(Keepers keepers, LongSupplier clockNs) {
        this.keepers = keepers;
        this.clockNs = clockNs;
    }

    /** Says what groups a version has, by its shards. */
    interface GroupsOf {
        Groups of(ShardScan shards) throws IOException;
    }

    /** Shards that are open until all who got them have closed them. */
    final class Shared implements Closeable {

        private final StoredVersion version;
        private final ShardScan shards;
        private final Groups groups;
        private final long openedNs = clockNs.getAsLong();
        private int users = 1;

        private Shared(StoredVersion version, ShardScan shards, Groups groups) {
            this.version = version;
            this.shards = shards;
            this.groups = groups;
        }

        ShardScan shards() {
            return shards;
        }

        Groups groups() {
            return groups;
        }

        private boolean isFresh() {
            long age = clockNs.getAsLong() - openedNs;
            return age < (shards.shards() == keepers.dispersal().keepers() ? MOST_AGE_NS : MOST_AGE_WITH_FEWER_NS);
        }

        /** Once for each who got it. */
        @Override
        public void close() throws IOException {
            if (isLast(this)) {
                shards.close();
            }
        }
    }

    private synchronized boolean isLast(Shared shared) {
        shared.users--;
        if (shared.users == 0) {
            last.remove(shared.version, shared);
        }
        return shared.users == 0;
    }

    private synchronized Optional<Shared> find(StoredVersion version) {
        Shared known = last.get(version);
        if (known == null || !known.isFresh()) {
            return Optional.empty();
        }
        known.users++;
        return Optional.of(known);
    }

    private synchronized Shared put(Shared opened) {
        last.put(opened.version, opened);
        return opened;
    }

    /**
     * The shards of as many keepers as are needed to read a version, which whoever gets them closes.
     *
     * @param groups is asked if nobody has the version open
     */
    Shared open(StoredVersion version, GroupsOf groups) throws IOException {
        Lock lock = opening.get(version);
        lock.lock();
        try {
            Optional<Shared> known = find(version);
            return known.isPresent() ? known.get() : put(opened(version, groups));
        } finally {
            lock.unlock();
        }
    }

    private Shared opened(StoredVersion version, GroupsOf groups) throws IOException {
        ShardScan shards = ShardScan.openQuickest(keepers, version);
        try {
            shards.requireEnough();
            return new Shared(version, shards, groups.of(shards));
        } catch (IOException | RuntimeException e) {
            shards.close();
            throw e;
        }
    }
}
