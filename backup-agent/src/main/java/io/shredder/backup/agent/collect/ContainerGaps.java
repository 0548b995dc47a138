// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.collect;

import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.backup.agent.container.ContainerHeads;
import io.shredder.backup.agent.file.FileHeader;
import io.shredder.backup.agent.file.Span;
import io.shredder.backup.agent.file.SparseFile;
import io.shredder.chunk.Fingerprint;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * What of one container lies between the chunks that live: dead ones, copies that the index has elsewhere, and what was
 * released before. Built up chunk by chunk, 8 bytes for each that lives.
 */
final class ContainerGaps {

    /** A whole block: less can't be given back. */
    static final int MIN_HOLE_BYTES = SparseFile.BLOCK_BYTES;

    private static final int FIRST_CAPACITY = 64;

    private final List<ContainerHeads.Entry> dead = new ArrayList<>();
    private long[] live = new long[FIRST_CAPACITY];
    private int liveCount;

    /** A gap, and how much of it takes space that can be given back. */
    record Gap(Span span, long releasableBytes) {}

    /** Adds a chunk that the index has here. */
    void add(Fingerprint fingerprint, ChunkLocation location, boolean isLive) {
        if (isLive) {
            addLive(location);
        } else {
            dead.add(new ContainerHeads.Entry(fingerprint, location));
        }
    }

    void addLive(ChunkLocation location) {
        if (liveCount == live.length) {
            live = Arrays.copyOf(live, 2 * liveCount);
        }
        live[liveCount++] =
                ((long) location.offset() << Integer.SIZE) | ContainerHeads.recordBytes(location.storedBytes());
    }

    /** What is dead and in the index all the same. */
    List<ContainerHeads.Entry> dead() {
        return dead;
    }

    /**
     * The gaps that are worth being released, ascending.
     *
     * @param limit where the part of the container ends that is looked at
     * @param occupied what of it takes space, ascending
     */
    List<Gap> worthReleasing(long limit, List<Span> occupied) {
        List<Gap> gaps = new ArrayList<>();
        Arrays.sort(live, 0, liveCount);
        int data = 0;
        long end = FileHeader.BYTES;
        for (int i = 0; i <= liveCount; i++) {
            long next = i == liveCount ? limit : live[i] >>> Integer.SIZE;
            Span blocks = new Span(end, Math.max(end, next)).wholeBlocks(SparseFile.BLOCK_BYTES);
            while (data < occupied.size() && occupied.get(data).to() <= blocks.from()) {
                data++;
            }
            long bytes = releasable(blocks, occupied.subList(data, occupied.size()));
            if (bytes >= MIN_HOLE_BYTES) {
                gaps.add(new Gap(new Span(end, next), bytes));
            }
            end = i == liveCount ? next : next + (live[i] & 0xFFFF_FFFFL);
        }
        return gaps;
    }

    private static long releasable(Span blocks, List<Span> occupied) {
        long bytes = 0;
        for (Span data : occupied) {
            if (data.from() >= blocks.to()) {
                break;
            }
            bytes += data.shared(blocks);
        }
        return bytes;
    }
}
