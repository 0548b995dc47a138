// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.collect;

import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.backup.agent.container.ContainerPosition;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.roaringbitmap.RoaringBitmap;

/**
 * Which chunks live, by the place of their records. What was written after the collection began lies behind the <em>line</em> and lives
 * without a mark. About three bytes a marked chunk. Marks are only ever added. Safe for any number of threads.
 */
final class ChunkMarks {

    /** No two records begin in the same 64 bytes: the head of one alone is longer. */
    private static final int SLOT_BITS = 6;

    private final ContainerPosition line;
    private final Map<Integer, RoaringBitmap> byContainer = new ConcurrentHashMap<>();

    /**
     * Nothing marked.
     *
     * @param line where the containers ended when the collection began
     */
    ChunkMarks(ContainerPosition line) {
        this.line = line;
    }

    ContainerPosition line() {
        return line;
    }

    /** Marks a chunk as alive. */
    void mark(ChunkLocation location) {
        if (isBehindLine(location)) {
            return;
        }
        RoaringBitmap slots = byContainer.computeIfAbsent(location.container(), number -> new RoaringBitmap());
        synchronized (slots) {
            slots.add(location.offset() >>> SLOT_BITS);
        }
    }

    /** Whether a chunk is to be kept. */
    boolean isLive(ChunkLocation location) {
        if (isBehindLine(location)) {
            return true;
        }
        RoaringBitmap slots = byContainer.get(location.container());
        if (slots == null) {
            return false;
        }
        synchronized (slots) {
            return slots.contains(location.offset() >>> SLOT_BITS);
        }
    }

    /** Whether it came after the collection began. */
    boolean isBehindLine(ChunkLocation location) {
        return location.position().compareTo(line) >= 0;
    }
}
