// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.store;

import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.backup.agent.container.ContainerHeads;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;

/**
 * What the index has in a container, {@value #ENTRY_BYTES} bytes each. Any number of threads add; then any number read.
 */
public final class IndexedContainer {

    static final int ENTRY_BYTES = Fingerprint.BYTES + 3 * Integer.BYTES;

    private static final int LEAST_MORE = 64;

    /** How much of a container one thread reads before another may go on. */
    private static final int PIECE_BYTES = 16 << 20;

    private final int container;
    private byte[] entries;
    private int count;
    private int lastOffset;

    /** Takes the chunks of one region. */
    public interface Visitor {
        void region(List<ContainerHeads.Entry> together) throws IOException;
    }

    /**
     * Empty.
     *
     * @param expected about how many there will be
     */
    public IndexedContainer(int container, int expected) {
        this.container = container;
        this.entries = new byte[Math.multiplyExact(expected, ENTRY_BYTES)];
    }

    /** Its number. */
    public int container() {
        return container;
    }

    /** Adds a chunk that lies in the container. */
    public synchronized void add(Fingerprint fingerprint, ChunkLocation location) {
        int at = count * ENTRY_BYTES;
        if (at == entries.length) {
            entries =
                    Arrays.copyOf(entries, at + Math.max(LEAST_MORE * ENTRY_BYTES, at / 2 / ENTRY_BYTES * ENTRY_BYTES));
        }
        ByteBuffer entry = ByteBuffer.wrap(entries, at, ENTRY_BYTES);
        fingerprint.write(entry);
        lastOffset = Math.max(lastOffset, location.offset());
        entry.putInt(location.offset()).putInt(location.storedBytes()).putInt(location.plainBytes());
        count++;
    }

    /** In how many pieces it is read, at least one; each region is in one of them. */
    public int pieces() {
        return lastOffset / PIECE_BYTES + 1;
    }

    /** Visits all of a piece in the order in which they lie in the container, those of a region together, ascending. */
    public void forEachRegion(int piece, Visitor visitor) throws IOException {
        long[] order = inOrder(piece);
        for (int from = 0; from < order.length; ) {
            List<ContainerHeads.Entry> together = new ArrayList<>();
            long offset = order[from] >>> Integer.SIZE;
            for (; from < order.length && order[from] >>> Integer.SIZE == offset; from++) {
                together.add(entry((int) order[from]));
            }
            together.sort(Comparator.comparing(ContainerHeads.Entry::fingerprint));
            visitor.region(together);
        }
    }

    /** Of each of a piece its offset in the container and, below, its number. */
    private long[] inOrder(int piece) {
        ByteBuffer fields = ByteBuffer.wrap(entries);
        long[] order = new long[count];
        int found = 0;
        for (int i = 0; i < count; i++) {
            int offset = fields.getInt(i * ENTRY_BYTES + Fingerprint.BYTES);
            if (offset / PIECE_BYTES == piece) {
                order[found++] = (long) offset << Integer.SIZE | i;
            }
        }
        Arrays.sort(order, 0, found);
        return Arrays.copyOf(order, found);
    }

    private ContainerHeads.Entry entry(int number) {
        ByteBuffer entry = ByteBuffer.wrap(entries, number * ENTRY_BYTES, ENTRY_BYTES);
        Fingerprint fingerprint = Fingerprint.read(entry);
        return new ContainerHeads.Entry(
                fingerprint, new ChunkLocation(container, entry.getInt(), entry.getInt(), entry.getInt()));
    }
}
