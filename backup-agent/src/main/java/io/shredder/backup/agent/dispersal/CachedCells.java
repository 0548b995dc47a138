// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal;

import io.shredder.backup.agent.dispersal.shard.CellArrays;
import io.shredder.backup.agent.dispersal.shard.GroupFrame;
import io.shredder.backup.agent.dispersal.shard.Groups;
import java.nio.ByteBuffer;
import java.util.BitSet;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * What was read of a group: sound cells of it, which never change. Safe for any number of threads; those that read what
 * is missing hold {@link #reading}, so that nothing is read twice. Once all who use it have said that they don't any
 * more, the memory of its cells is others'.
 */
final class CachedCells {

    final ReentrantLock reading = new ReentrantLock();
    private final Groups.Group group;
    private final AtomicReferenceArray<@Nullable ByteBuffer> cells;
    private final AtomicInteger users = new AtomicInteger(1);
    private long givenOut;

    /** Has none yet, of so many keepers. Whoever makes it uses it. */
    CachedCells(Groups.Group group, int keepers) {
        this.group = group;
        this.cells = new AtomicReferenceArray<>(keepers);
    }

    /** One more uses it, who got it from one who does. */
    CachedCells use() {
        users.incrementAndGet();
        return this;
    }

    /** One uses it no more. */
    void release() {
        if (users.decrementAndGet() == 0) {
            for (int i = 0; i < cells.length(); i++) {
                ByteBuffer cell = cells.getAndSet(i, null);
                if (cell != null) {
                    CellArrays.shared().giveBack(cell);
                }
            }
        }
    }

    Groups.Group group() {
        return group;
    }

    GroupFrame frame() {
        return group.frame();
    }

    /** What all its cells take. */
    int mostBytes() {
        return cells.length() * frame().cellBytes();
    }

    boolean has(int index) {
        return cells.get(index) != null;
    }

    /** A cell, which must be there, and whose position stays. */
    ByteBuffer get(int index) {
        ByteBuffer cell = cells.get(index);
        if (cell == null) {
            throw new IllegalStateException("cell " + index + " was not read");
        }
        return cell;
    }

    /** Keeps a cell, in an array of its own. One that comes when nobody uses this any more is garbage. */
    void put(int index, ByteBuffer cell) {
        cells.set(index, cell);
    }

    /** All, with null in place of those that are not there. */
    @Nullable
    ByteBuffer[] all() {
        @Nullable ByteBuffer[] all = new ByteBuffer[cells.length()];
        for (int i = 0; i < all.length; i++) {
            ByteBuffer cell = cells.get(i);
            all[i] = cell == null ? null : cell.duplicate();
        }
        return all;
    }

    /** Bytes of it were given out; returns whether they are now as many as it has. For {@link CellsCache}. */
    boolean giveOut(int bytes) {
        long before = givenOut;
        givenOut += bytes;
        return before < frame().bytes() && givenOut >= frame().bytes();
    }

    int count() {
        int count = 0;
        for (int i = 0; i < cells.length(); i++) {
            count += has(i) ? 1 : 0;
        }
        return count;
    }

    /** Those of these that are not there. */
    BitSet missing(BitSet wanted) {
        BitSet missing = (BitSet) wanted.clone();
        for (int i = 0; i < cells.length(); i++) {
            if (has(i)) {
                missing.clear(i);
            }
        }
        return missing;
    }
}
