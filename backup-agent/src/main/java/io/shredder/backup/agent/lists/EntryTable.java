// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.lists;

import java.io.IOException;
import java.nio.ByteBuffer;

/**
 * Entries of one length behind each other in a file, read a block at a time: memory is the same however many there are.
 * For one thread.
 */
final class EntryTable {

    /** Entries that are read together. */
    static final int BLOCK_ENTRIES = 1024;

    private final Source source;
    private final long at;
    private final int entryBytes;
    private final int count;
    private int block = -1;
    private ByteBuffer entries = ByteBuffer.allocate(0);

    /** Bytes of a file. */
    interface Source {
        /** All bytes from one place to another. */
        ByteBuffer read(long from, long to) throws IOException;
    }

    /**
     * Of a file.
     *
     * @param at where the first entry begins
     * @param count how many
     */
    EntryTable(Source source, long at, int entryBytes, int count) {
        this.source = source;
        this.at = at;
        this.entryBytes = entryBytes;
        this.count = count;
    }

    /** The same for another thread. */
    EntryTable forAnother() {
        return new EntryTable(source, at, entryBytes, count);
    }

    int count() {
        return count;
    }

    int blocks() {
        return (count + BLOCK_ENTRIES - 1) / BLOCK_ENTRIES;
    }

    /** Where an entry begins in the file. */
    long offset(int index) {
        return at + (long) entryBytes * index;
    }

    /** The entries of a block; whoever asks must not change its bytes. */
    ByteBuffer block(int number) throws IOException {
        if (number != block) {
            long end = Math.min(offset(count), offset(number * BLOCK_ENTRIES) + (long) entryBytes * BLOCK_ENTRIES);
            entries = source.read(offset(number * BLOCK_ENTRIES), end);
            block = number;
        }
        return entries.duplicate();
    }

    /** An entry. */
    ByteBuffer entry(int index) throws IOException {
        return block(index / BLOCK_ENTRIES).slice(index % BLOCK_ENTRIES * entryBytes, entryBytes);
    }
}
