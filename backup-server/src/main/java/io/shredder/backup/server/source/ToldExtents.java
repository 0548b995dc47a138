// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.source;

import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Where an image has data, as far as its server has told: of one stretch, which grows at its end. Readers at several
 * places ask again only where none has been; if there is too much to remember, what lies before one of them is
 * forgotten, never what lies behind. One thread.
 */
final class ToldExtents {

    private static final int MOST = 1 << 14;

    private final TreeMap<Long, Extent> extents = new TreeMap<>();
    private final int most;
    private long from;
    private long upTo;

    ToldExtents() {
        this(MOST);
    }

    /** @param most how many are remembered that lie before a reader */
    ToldExtents(int most) {
        this.most = most;
    }

    /** Up to where has been told. */
    long upTo() {
        return upTo;
    }

    /** Says where a reader is: at an offset that the stretch doesn't reach it begins anew. */
    void moveTo(long offset) {
        if (offset < from || offset > upTo) {
            extents.clear();
            from = offset;
            upTo = offset;
        }
        while (extents.size() > most && extents.firstEntry().getValue().end() <= offset) {
            from = extents.pollFirstEntry().getValue().end();
        }
    }

    /** Adds data behind all that is there; what adjoins or overlaps the last becomes one with it. */
    void add(long start, long end) {
        Map.Entry<Long, Extent> last = extents.lastEntry();
        long begin = Math.max(start, from);
        if (last != null && last.getValue().end() >= begin) {
            begin = last.getKey();
        }
        if (end > begin) {
            extents.put(begin, new Extent(begin, end - begin));
        }
    }

    /** Notes up to where has been told now. */
    void grow(long end) {
        upTo = end;
    }

    /** The first data at or behind an offset of the stretch, from there on; empty if none has been told of. */
    Optional<Extent> next(long offset) {
        Map.Entry<Long, Extent> found = extents.floorEntry(offset);
        if (found == null || found.getValue().end() <= offset) {
            found = extents.ceilingEntry(offset);
        }
        if (found == null) {
            return Optional.empty();
        }
        long begin = Math.max(offset, found.getKey());
        return Optional.of(new Extent(begin, found.getValue().end() - begin));
    }
}
