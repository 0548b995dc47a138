// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.container;

import io.shredder.backup.region.RegionFormat;
import java.util.ArrayList;
import java.util.List;

/**
 * Regions of one container that lie so near each other that one read brings them all: at most {@value #MOST_BYTES}
 * bytes from the first to the end of the last, unless there is just one. Of each the chunks that the index has there.
 * One thread.
 */
public final class NearRegions {

    /** Regions of the usual length, at most 256 KiB, for all lanes of the widest instructions; most caches hold it. */
    static final int MOST_BYTES = 4 << 20;

    /** So many bytes that nobody asked for are read with the others; beyond that another read is cheaper. */
    private static final int MOST_GAP_BYTES = 32 << 10;

    private final List<List<ContainerHeads.Entry>> regions = new ArrayList<>();
    private long end;

    /**
     * Takes the next region, which lies behind those that are here.
     *
     * @param together its chunks, all of one place; kept
     * @return false if it does not lie near: it is not taken
     */
    public boolean add(List<ContainerHeads.Entry> together) {
        ChunkLocation at = place(together);
        long next = at.offset() + ContainerHeads.recordBytes(at.storedBytes());
        if (!regions.isEmpty() && !isNear(at, next)) {
            return false;
        }
        regions.add(together);
        end = next;
        return true;
    }

    private boolean isNear(ChunkLocation at, long next) {
        ChunkLocation first = first();
        return at.container() == first.container()
                && at.offset() >= end
                && at.offset() - end <= MOST_GAP_BYTES
                && next - first.offset() <= MOST_BYTES;
    }

    /** Where the record of a region is. */
    static ChunkLocation place(List<ContainerHeads.Entry> together) {
        return together.get(0).location();
    }

    /** Where the first one is. */
    ChunkLocation first() {
        return place(regions.get(0));
    }

    /** Where the last one is. */
    public ChunkLocation last() {
        return place(regions.get(regions.size() - 1));
    }

    /**
     * How long the records are together, and what is between them; of one that can't be a region at most as long as a
     * record may be.
     */
    int bytes() {
        return (int) Math.min(end - first().offset(), RecordHead.BYTES + RegionFormat.MAX_STORED_BYTES);
    }

    /** All, in order. */
    public List<List<ContainerHeads.Entry>> regions() {
        return regions;
    }

    /** Whether there are none. */
    public boolean isEmpty() {
        return regions.isEmpty();
    }

    /** Has none any more. */
    public void clear() {
        regions.clear();
    }
}
