// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent;

import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.backup.agent.container.ContainerHeads;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/** What the index has in a container, {@value #ENTRY_BYTES} bytes each. Any number of threads add; then one reads. */
final class IndexedContainer {

    static final int ENTRY_BYTES = Fingerprint.BYTES + 3 * Integer.BYTES;

    private final int container;
    private final int most;
    private final AtomicInteger added = new AtomicInteger();
    private final ByteBuffer entries;

    /** Takes the chunks of one region. */
    interface Visitor {
        void region(List<ContainerHeads.Entry> together) throws IOException;
    }

    /**
     * Empty.
     *
     * @param most how many have room
     */
    IndexedContainer(int container, int most) {
        this.container = container;
        this.most = most;
        this.entries = ByteBuffer.allocate(Math.multiplyExact(most, ENTRY_BYTES));
    }

    /** Its number. */
    int container() {
        return container;
    }

    /** Adds a chunk that lies in the container; without room it is left out. */
    void add(Fingerprint fingerprint, ChunkLocation location) {
        int number = added.getAndIncrement();
        if (number < most) {
            ByteBuffer entry = entries.slice(number * ENTRY_BYTES, ENTRY_BYTES);
            fingerprint.write(entry);
            entry.putInt(location.offset()).putInt(location.storedBytes()).putInt(location.plainBytes());
        }
    }

    /** Visits all in the order in which they lie in the container, those of a region together, ascending. */
    void forEachRegion(Visitor visitor) throws IOException {
        long[] order = inOrder();
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

    /** Of each its offset in the container and, below, its number. */
    private long[] inOrder() {
        long[] order = new long[Math.min(most, added.get())];
        for (int i = 0; i < order.length; i++) {
            long offset = entries.getInt(i * ENTRY_BYTES + Fingerprint.BYTES);
            order[i] = offset << Integer.SIZE | i;
        }
        Arrays.sort(order);
        return order;
    }

    private ContainerHeads.Entry entry(int number) {
        ByteBuffer entry = entries.slice(number * ENTRY_BYTES, ENTRY_BYTES);
        Fingerprint fingerprint = Fingerprint.read(entry);
        return new ContainerHeads.Entry(
                fingerprint, new ChunkLocation(container, entry.getInt(), entry.getInt(), entry.getInt()));
    }
}
