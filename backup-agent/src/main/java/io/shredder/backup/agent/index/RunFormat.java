// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

/**
 * The pages of a run ({@code docs/formats/index.md}, section 4): a header page, the entries, the fences, the filter. Of each sealed page,
 * {@value #PLAIN_BYTES} bytes are plain: {@value #ENTRIES_PER_PAGE} entries exactly.
 *
 * @param entries how many the run has
 * @param filterWords how many words of eight bytes its filter has
 */
record RunFormat(long entries, int filterWords) {

    static final int PAGE_BYTES = 4096;
    static final int PLAIN_BYTES = PAGE_BYTES - Sealing.TAG_BYTES;
    static final int ENTRIES_PER_PAGE = PLAIN_BYTES / IndexEntry.BYTES;
    static final int WORDS_PER_PAGE = PLAIN_BYTES / Long.BYTES;

    /** Pages are read and written this many at a time where they follow each other. */
    static final int PAGES_AT_ONCE = 32;

    static final int SALT_AT = 64;
    static final int ENTRIES_AT = SALT_AT + IndexKey.SALT_BYTES;
    static final int FILTER_WORDS_AT = ENTRIES_AT + Long.BYTES;

    int entryPages() {
        return Math.toIntExact((entries + ENTRIES_PER_PAGE - 1) / ENTRIES_PER_PAGE);
    }

    int fencePages() {
        return (entryPages() + WORDS_PER_PAGE - 1) / WORDS_PER_PAGE;
    }

    int filterPages() {
        return (filterWords + WORDS_PER_PAGE - 1) / WORDS_PER_PAGE;
    }

    int firstFencePage() {
        return 1 + entryPages();
    }

    int firstFilterPage() {
        return firstFencePage() + fencePages();
    }

    long fileBytes() {
        return (long) (firstFilterPage() + filterPages()) * PAGE_BYTES;
    }

    /** How many entries that page has, from 1 on; all but the last are full. */
    int entriesOf(int page) {
        return (int) Math.min(ENTRIES_PER_PAGE, entries - (long) (page - 1) * ENTRIES_PER_PAGE);
    }

    static String fileName(int number) {
        return String.format("%08x.run", number);
    }
}
