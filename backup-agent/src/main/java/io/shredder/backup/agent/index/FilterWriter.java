// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.util.Arrays;

/**
 * Writes a {@link KeyFilter} while its keys come in ascending order. A block is complete once a key of a later one
 * comes, so one block is all that it holds, however many keys there are. One thread.
 */
final class FilterWriter {

    private final PageWriter pages;
    private final long blocks;
    private final long[] block = new long[KeyFilter.BLOCK_WORDS];
    private long number;

    /** Writes so many words, {@link KeyFilter#words}, to {@code pages}. */
    FilterWriter(PageWriter pages, int words) {
        this.pages = pages;
        this.blocks = words / KeyFilter.BLOCK_WORDS;
    }

    void add(Fingerprint key) throws IOException {
        long wanted = KeyFilter.block(key.prefix(), blocks);
        while (number < wanted) {
            endBlock();
        }
        KeyFilter.set(block, key.prefix());
    }

    private void endBlock() throws IOException {
        for (long word : block) {
            pages.room().putLong(word);
        }
        Arrays.fill(block, 0);
        number++;
    }

    /** That was the last key: writes all that is left. */
    void end() throws IOException {
        while (number < blocks) {
            endBlock();
        }
        pages.end();
    }
}
