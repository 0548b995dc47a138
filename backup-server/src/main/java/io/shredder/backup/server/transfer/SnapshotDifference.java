// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.transfer;

import com.google.common.collect.Range;
import com.google.common.collect.RangeMap;
import com.google.common.collect.Sets;
import com.google.common.collect.TreeRangeMap;
import io.shredder.backup.region.ChunkRef;
import io.shredder.backup.seal.Pointer;
import io.shredder.backup.server.snapshot.SnapshotPointers;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * What the second of two images has that the first has not, by their lists alone: chunks with one identity have the
 * same bytes. Memory is bounded by what differs, not by the images.
 */
public final class SnapshotDifference {

    /** How a range of the second image stands to the first. */
    public enum Kind {
        /** Bytes that the first image has nowhere. */
        NEW,
        /** Bytes that the first image has elsewhere. */
        MOVED
    }

    /** Lists pages of a snapshot's pointers from the first, as often as it is asked. */
    public interface Lists {
        /** From the beginning. */
        SnapshotPointers open() throws IOException;
    }

    /** One list, chunk by chunk. */
    private static final class Walk {
        private final SnapshotPointers pages;
        private List<Pointer> page = List.of();
        private int next;
        private int used;
        private long offset;

        Walk(Lists lists) throws IOException {
            pages = lists.open();
            load();
        }

        private void load() throws IOException {
            page = pages.nextPage();
            next = 0;
        }

        boolean ended() {
            return page.isEmpty();
        }

        ChunkRef chunk() {
            return page.get(next).chunk();
        }

        /** What of the pointer was not stepped over. */
        Pointer rest() {
            Pointer pointer = page.get(next);
            return pointer.part(used, pointer.length() - used);
        }

        void step() throws IOException {
            step(rest().length());
        }

        void step(int bytes) throws IOException {
            offset += bytes;
            used += bytes;
            if (used == page.get(next).length()) {
                used = 0;
                if (++next == page.size()) {
                    load();
                }
            }
        }
    }

    /** Bytes of the second image that are not at their place in the first, and the chunk that has them. */
    private record Placed(long offset, int bytes, ChunkRef chunk) {}

    private final List<Placed> differing = new ArrayList<>();
    private final Set<Fingerprint> leaving = new HashSet<>();
    private final RangeMap<Long, Kind> ranges = TreeRangeMap.create();
    private long sameBytes;
    private long newChunks;
    private long newBytes;
    private long movedBytes;
    private long removedChunks;
    private long removedBytes;

    private SnapshotDifference() {}

    /** Reads both lists side by side, to their ends. */
    public static SnapshotDifference between(Lists first, Lists second) throws IOException {
        SnapshotDifference difference = new SnapshotDifference();
        difference.compare(new Walk(first), new Walk(second));
        Set<Fingerprint> entering = new HashSet<>();
        difference.differing.forEach(placed -> entering.add(placed.chunk().fingerprint()));
        difference.sort(present(entering, new Walk(first)));
        difference.countRemoved(new Walk(first), present(difference.leaving, new Walk(second)));
        return difference;
    }

    /** Side by side: what is at the same place in both is the same, all else is to be looked at. */
    private void compare(Walk first, Walk second) throws IOException {
        while (!first.ended() || !second.ended()) {
            if (first.ended()) {
                differing.add(new Placed(second.offset, second.rest().length(), second.chunk()));
                second.step();
            } else if (second.ended()) {
                leaving.add(first.chunk().fingerprint());
                first.step();
            } else {
                compareNext(first, second);
            }
        }
    }

    private void compareNext(Walk first, Walk second) throws IOException {
        Pointer one = first.rest();
        Pointer two = second.rest();
        int bytes = Math.min(one.length(), two.length());
        if (one.part(0, bytes).equals(two.part(0, bytes))) {
            sameBytes += bytes;
        } else {
            leaving.add(one.fingerprint());
            differing.add(new Placed(second.offset, bytes, two.chunk()));
        }
        first.step(bytes);
        second.step(bytes);
    }

    /** Which of these a list has. */
    private static Set<Fingerprint> present(Set<Fingerprint> asked, Walk list) throws IOException {
        Set<Fingerprint> found = new HashSet<>();
        for (; !list.ended(); list.step()) {
            if (asked.contains(list.chunk().fingerprint())) {
                found.add(list.chunk().fingerprint());
            }
        }
        return found;
    }

    private void sort(Set<Fingerprint> inFirst) {
        Set<Fingerprint> counted = new HashSet<>();
        for (Placed placed : differing) {
            boolean moved = inFirst.contains(placed.chunk().fingerprint());
            if (moved) {
                movedBytes += placed.bytes();
            } else if (counted.add(placed.chunk().fingerprint())) {
                newChunks++;
                newBytes += placed.chunk().length();
            }
            ranges.putCoalescing(
                    Range.closedOpen(placed.offset(), placed.offset() + placed.bytes()), moved ? Kind.MOVED : Kind.NEW);
        }
    }

    private void countRemoved(Walk first, Set<Fingerprint> inSecond) throws IOException {
        Set<Fingerprint> gone = new HashSet<>(Sets.difference(leaving, inSecond));
        for (; !first.ended(); first.step()) {
            if (gone.remove(first.chunk().fingerprint())) {
                removedChunks++;
                removedBytes += first.chunk().length();
            }
        }
    }

    /** Ranges of the second image that are not as in the first, ascending. */
    public Map<Range<Long>, Kind> ranges() {
        return ranges.asMapOfRanges();
    }

    /** Bytes that are the same at the same place. */
    public long sameBytes() {
        return sameBytes;
    }

    /** Chunks of the second that the first has nowhere, each once. */
    public long newChunks() {
        return newChunks;
    }

    /** Their length. */
    public long newBytes() {
        return newBytes;
    }

    /** Bytes of the second that the first has elsewhere. */
    public long movedBytes() {
        return movedBytes;
    }

    /** Chunks of the first that the second has nowhere, each once. */
    public long removedChunks() {
        return removedChunks;
    }

    /** Their length. */
    public long removedBytes() {
        return removedBytes;
    }
}
