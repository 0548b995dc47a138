// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import io.shredder.backup.bytes.OtherVersionException;

/**
 * The pages of a run, by the version in its header. Each page is sealed on its own, and a question opens one: smaller
 * pages cost less to read and open, larger ones fewer tags and fences.
 */
enum RunLayout {

    /** 85 entries a page. Read, no longer written; merges replace such runs. */
    VERSION_2(2, 4096, Long.BYTES, false),

    /** 42 entries a page, without a byte to spare. Read, no longer written. */
    VERSION_3(3, 2032, Long.BYTES, false),

    /** The filter before the entries, so that it can be written beside them; fences half as long. */
    VERSION_4(4, 2032, Integer.BYTES, true);

    /** What is written. */
    static final RunLayout WRITTEN = VERSION_4;

    /** The longest page of any version. */
    static final int MAX_PAGE_BYTES = 4096;

    private static final int BYTES_AT_ONCE = 128 << 10;
    private static final int VERSION_AT = 8;

    private final int version;
    private final int pageBytes;
    private final int fenceBytes;
    private final boolean filterFirst;

    RunLayout(int version, int pageBytes, int fenceBytes, boolean filterFirst) {
        this.version = version;
        this.pageBytes = pageBytes;
        this.fenceBytes = fenceBytes;
        this.filterFirst = filterFirst;
    }

    /** The layout of the version in the header of {@code file}. */
    static RunLayout of(int version, String file) throws OtherVersionException {
        for (RunLayout layout : values()) {
            if (layout.version == version) {
                return layout;
            }
        }
        throw new OtherVersionException(file, VERSION_AT, version, WRITTEN.version);
    }

    int version() {
        return version;
    }

    /** Length of a page on disk. */
    int pageBytes() {
        return pageBytes;
    }

    /** What is left of a page without its tag. */
    int plainBytes() {
        return pageBytes - Sealing.TAG_BYTES;
    }

    int entriesPerPage() {
        return plainBytes() / IndexEntry.BYTES;
    }

    /** Length of a fence on disk, of which the first four bytes count. */
    int fenceBytes() {
        return fenceBytes;
    }

    /** Whether the filter comes before the entries, or last. */
    boolean isFilterFirst() {
        return filterFirst;
    }

    /** Pages are read and written this many at a time where they follow each other. */
    int pagesAtOnce() {
        return BYTES_AT_ONCE / pageBytes;
    }

    /** How many pages so many things take. */
    static int pages(long things, int perPage) {
        return Math.toIntExact((things + perPage - 1) / perPage);
    }
}
