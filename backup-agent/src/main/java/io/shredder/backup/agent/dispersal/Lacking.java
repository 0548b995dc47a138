// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal;

import io.shredder.backup.agent.dispersal.shard.Dispersal;
import io.shredder.backup.agent.dispersal.shard.Members;
import io.shredder.backup.agent.dispersal.shard.StoredVersion;
import io.shredder.backup.agent.dispersal.shard.StoredVersion.Kind;
import java.util.BitSet;
import java.util.Collection;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Files of which keepers have not all that they should, as far as is known without reading. Safe for any threads. */
public final class Lacking {

    private static final Logger LOG = LoggerFactory.getLogger(Lacking.class);

    private final Map<Integer, Set<String>> byKeeper = new ConcurrentHashMap<>();

    /** Which keepers have a version in the greatest length that any has: all its shards are as long as each other. */
    static final class Longest {

        private long bytes;
        private final BitSet keepers = new BitSet();
        private final BitSet holders = new BitSet();

        /** Whether some of those that have it have less, and fewer than so many have most. */
        boolean isAtFewerThan(int count) {
            return keepers.cardinality() < Math.min(count, holders.cardinality());
        }

        void add(Keeper keeper, long length) {
            holders.set(keeper.index());
            if (length > bytes) {
                bytes = length;
                keepers.clear();
            }
            if (length == bytes) {
                keepers.set(keeper.index());
            }
        }
    }

    /** Finds who lacks what of versions that count, of which copies were completed where that can be done. */
    void find(Keepers keepers, Collection<StoredVersion> current, Map<StoredVersion, Longest> longest) {
        for (Keeper keeper : keepers.all()) {
            boolean completed = keepers.epoch() > 0 && keeper.takesChanges();
            long owed = 0;
            for (StoredVersion version : current) {
                Longest most = longest.getOrDefault(version, new Longest());
                if (!most.keepers.get(keeper.index()) && !(completed && version.kind() == Kind.COPY)) {
                    lacks(keeper.index(), version.name());
                }
                owed += version.kind().isCoded() && !most.holders.get(keeper.index()) ? 1 : 0;
            }
            if (owed > 0) {
                LOG.warn("keeper {} lacks its shard of {} files", keeper, owed);
            }
        }
    }

    void lacks(int keeper, String file) {
        byKeeper.computeIfAbsent(keeper, each -> ConcurrentHashMap.newKeySet()).add(file);
    }

    /** Those that are none of these lack it. */
    void missed(String file, Members holders, Dispersal dispersal) {
        for (int i = 0; i < dispersal.keepers(); i++) {
            if (!holders.has(i)) {
                lacks(i, file);
            }
        }
    }

    /** It has all of the file. */
    public void has(int keeper, String file) {
        Set<String> files = byKeeper.get(keeper);
        if (files != null) {
            files.remove(file);
        }
    }

    /** The file is gone. */
    void forget(String file) {
        byKeeper.keySet().forEach(keeper -> has(keeper, file));
    }

    /** The names of all files that it lacks. */
    public Set<String> files(Keeper keeper) {
        return Set.copyOf(byKeeper.getOrDefault(keeper.index(), Set.of()));
    }

    long count(int keeper) {
        return byKeeper.getOrDefault(keeper, Set.of()).size();
    }

    private boolean isLacking(int keeper, String file) {
        return byKeeper.getOrDefault(keeper, Set.of()).contains(file);
    }

    /** The most of these keepers that lack one and the same file. */
    int mostTogether(Collection<Integer> keepers) {
        long most = 0;
        for (int one : keepers) {
            for (String file : byKeeper.getOrDefault(one, Set.of())) {
                most = Math.max(
                        most,
                        keepers.stream().filter(each -> isLacking(each, file)).count());
            }
        }
        return (int) most;
    }
}
