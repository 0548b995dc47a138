// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.collect;

import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.backup.agent.container.ContainerPosition;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.roaringbitmap.RoaringBitmap;

/**
 * Which chunks live, by the place of their records: all of a region, or none. What was written after the collection
 * began lies behind the <em>line</em> and lives without a mark. About three bytes a marked record. Marks are only ever
 * added. Safe for any number of threads.
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

    /** Marks a chunk as alive, and with it all that are in the same record. */
    void mark(ChunkLocation location) {
        var unused = markFirst(location);
    }

    /** The same; returns whether the record had no mark yet. */
    boolean markFirst(ChunkLocation location) {
        if (isBehindLine(location)) {
            return false;
        }
        RoaringBitmap slots = byContainer.computeIfAbsent(location.container(), number -> new RoaringBitmap());
        synchronized (slots) {
            return slots.checkedAdd(location.offset() >>> SLOT_BITS);
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
