// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.lists;

import java.nio.ByteBuffer;
import java.util.Arrays;

/**
 * Where each page of a snapshot file begins: eight bytes a page, after the last one. Grows while the file is written.
 * Not safe for several threads.
 */
final class PageDirectory {

    static final int ENTRY_BYTES = Long.BYTES;

    private long[] offsets = new long[16];
    private int pages;

    static PageDirectory read(ByteBuffer bytes) {
        PageDirectory directory = new PageDirectory();
        while (bytes.hasRemaining()) {
            directory.add(bytes.getLong());
        }
        return directory;
    }

    void add(long offset) {
        if (pages == offsets.length) {
            offsets = Arrays.copyOf(offsets, 2 * pages);
        }
        offsets[pages++] = offset;
    }

    int pages() {
        return pages;
    }

    long offset(int page) {
        return offsets[page];
    }

    ByteBuffer encode() {
        ByteBuffer bytes = ByteBuffer.allocate(ENTRY_BYTES * pages);
        for (int i = 0; i < pages; i++) {
            bytes.putLong(offsets[i]);
        }
        return bytes.flip();
    }
}
