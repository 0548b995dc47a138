// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal;

import io.shredder.backup.agent.dispersal.shard.Groups;
import io.shredder.backup.agent.dispersal.shard.ShardHeader;
import io.shredder.backup.agent.dispersal.shard.StoredVersion;
import io.shredder.chunk.DamagedDataException;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/** The groups of files that were last looked at. Safe for any number of threads. */
final class GroupsCache {

    private static final int MOST_FILES = 1024;

    private final Map<StoredVersion, Groups> files = new LinkedHashMap<>(MOST_FILES, 0.75f, true);

    synchronized Optional<Groups> find(StoredVersion version) {
        return Optional.ofNullable(files.get(version));
    }

    /**
     * As the shards say it, if it is not known.
     *
     * @throws DamagedDataException if they don't say all that there is
     */
    Groups of(StoredVersion version, ShardScan shards) throws IOException {
        Optional<Groups> found = find(version);
        if (found.isPresent()) {
            return found.get();
        }
        Groups groups = shards.groups();
        if (version.kind() == StoredVersion.Kind.CODED && !shards.hasLength(groups.bytes())) {
            long bytes = shards.header().map(ShardHeader::bytes).orElse(0L);
            throw new DamagedDataException(
                    version.name(), groups.bytes(), "too few keepers have it from here to " + bytes);
        }
        return putIfAbsent(version, groups);
    }

    /** Of two that were found at once the first is kept: what is taken away from it is so for all. */
    private synchronized Groups putIfAbsent(StoredVersion version, Groups groups) {
        Groups before = files.get(version);
        if (before != null) {
            return before;
        }
        put(version, groups);
        return groups;
    }

    synchronized void put(StoredVersion version, Groups groups) {
        files.put(version, groups);
        if (files.size() > MOST_FILES) {
            files.remove(files.keySet().iterator().next());
        }
    }
}
