// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.chunk.Fingerprint;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The newest puts and removals, about 120 bytes each, until they are merged. One thread writes, any number read. */
final class Memtable {

    private final Map<Fingerprint, ChunkLocation> entries = new ConcurrentHashMap<>();

    void set(Fingerprint fingerprint, ChunkLocation location) {
        entries.put(fingerprint, location);
    }

    /** The location, {@link IndexEntry#NOWHERE} if it was removed, null if this table knows nothing of it. */
    @Nullable
    ChunkLocation get(Fingerprint fingerprint) {
        return entries.get(fingerprint);
    }

    /** Visits all locations of a part; removals are left out. */
    void forEach(KeyPart part, BiConsumer<Fingerprint, ChunkLocation> visitor) {
        entries.forEach((fingerprint, location) -> {
            if (part.contains(fingerprint) && !IndexEntry.isRemoval(location)) {
                visitor.accept(fingerprint, location);
            }
        });
    }

    int size() {
        return entries.size();
    }

    List<IndexEntry> sorted(KeyPart part) {
        return entries.entrySet().stream()
                .filter(entry -> part.contains(entry.getKey()))
                .map(entry -> new IndexEntry(entry.getKey(), entry.getValue()))
                .sorted(Comparator.comparing(IndexEntry::fingerprint))
                .toList();
    }
}
