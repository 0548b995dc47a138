// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.changes;

import io.shredder.backup.server.source.Extent;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/** Ranges of an image's bytes, ascending, none adjoining: 16 bytes of memory for each. Immutable. */
public final class ChangedRanges {

    private final long[] begins;
    private final long[] ends;

    private ChangedRanges(List<Extent> joined) {
        begins = joined.stream().mapToLong(Extent::offset).toArray();
        ends = joined.stream().mapToLong(Extent::end).toArray();
    }

    /** Those that cover these, which may come in any order and overlap. */
    public static ChangedRanges of(List<Extent> extents) {
        List<Extent> sorted = new ArrayList<>(extents);
        sorted.sort(Comparator.comparingLong(Extent::offset));
        List<Extent> joined = new ArrayList<>();
        for (Extent next : sorted) {
            Extent last = joined.isEmpty() ? null : joined.get(joined.size() - 1);
            if (last != null && next.offset() <= last.end()) {
                long end = Math.max(last.end(), next.end());
                joined.set(joined.size() - 1, new Extent(last.offset(), end - last.offset()));
            } else {
                joined.add(next);
            }
        }
        return new ChangedRanges(joined);
    }

    /** The one range that is all of any image. */
    public static ChangedRanges everything() {
        return of(List.of(new Extent(0, Long.MAX_VALUE)));
    }

    /** Whether a byte of these is in a range. */
    boolean touch(long from, long to) {
        return nextFrom(from) < to;
    }

    /** The first byte that is in a range, from a place on; {@link Long#MAX_VALUE} if there is none. */
    long nextFrom(long at) {
        int range = firstEndingBehind(at);
        return range == begins.length ? Long.MAX_VALUE : Math.max(at, begins[range]);
    }

    /** Where the range ends that has the byte at a place; that place if none has. */
    long endOf(long at) {
        int range = firstEndingBehind(at);
        return range == begins.length || begins[range] > at ? at : ends[range];
    }

    private int firstEndingBehind(long at) {
        int found = Arrays.binarySearch(ends, at);
        return found >= 0 ? found + 1 : -found - 1;
    }

    /** How many bytes are in them. */
    public long bytes() {
        long bytes = 0;
        for (int i = 0; i < begins.length; i++) {
            bytes += ends[i] - begins[i];
        }
        return bytes;
    }

    @Override
    public String toString() {
        return begins.length + " ranges of " + bytes() + " bytes";
    }
}
