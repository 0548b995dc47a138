// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import io.shredder.backup.protocol.OtherVersionException;

/**
 * The pages of a run, by the version in its header. Each page is sealed on its own, and a question opens one: smaller pages cost less to
 * read and open, larger ones fewer tags and fences.
 */
enum RunLayout {

    /** 85 entries a page. Read, no longer written; merges replace such runs. */
    VERSION_2(2, 4096),

    /** 42 entries a page, without a byte to spare. */
    VERSION_3(3, 2032);

    /** What is written. */
    static final RunLayout WRITTEN = VERSION_3;

    /** The longest page of any version. */
    static final int MAX_PAGE_BYTES = 4096;

    private static final int BYTES_AT_ONCE = 128 << 10;
    private static final int VERSION_AT = 8;

    private final int version;
    private final int pageBytes;

    RunLayout(int version, int pageBytes) {
        this.version = version;
        this.pageBytes = pageBytes;
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

    int wordsPerPage() {
        return plainBytes() / Long.BYTES;
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
