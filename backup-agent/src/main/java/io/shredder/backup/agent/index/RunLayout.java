// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

/**
 * The pages of a run. Each page is sealed on its own, and a question opens one: smaller pages cost less to read and
 * open, larger ones fewer tags and fences.
 */
final class RunLayout {

    /** In the header of each run; no other is read. */
    static final int VERSION = 4;

    /** Length of a page on disk. */
    static final int PAGE_BYTES = 2032;

    /** What is left of a page without its tag: 42 entries, without a byte to spare. */
    static final int PLAIN_BYTES = PAGE_BYTES - Sealing.TAG_BYTES;

    static final int ENTRIES_PER_PAGE = PLAIN_BYTES / IndexEntry.BYTES;

    /** Length of a fence on disk. */
    static final int FENCE_BYTES = Integer.BYTES;

    /** Pages are read and written this many at a time where they follow each other. */
    static final int PAGES_AT_ONCE = (128 << 10) / PAGE_BYTES;

    private RunLayout() {}

    /** How many pages so many things take. */
    static int pages(long things, int perPage) {
        return Math.toIntExact((things + perPage - 1) / perPage);
    }
}
