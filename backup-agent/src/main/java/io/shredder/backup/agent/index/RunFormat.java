// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

/**
 * Where things are in a run ({@code docs/formats/index.md}, section 5): a header page, the entries, the fences, the filter.
 *
 * @param layout of its pages
 * @param entries how many the run has
 * @param filterWords how many words of eight bytes its filter has
 */
record RunFormat(RunLayout layout, long entries, int filterWords) {

    static final int SALT_AT = 64;
    static final int ENTRIES_AT = SALT_AT + IndexKey.SALT_BYTES;
    static final int FILTER_WORDS_AT = ENTRIES_AT + Long.BYTES;

    int entryPages() {
        return RunLayout.pages(entries, layout.entriesPerPage());
    }

    int firstFencePage() {
        return 1 + entryPages();
    }

    int firstFilterPage() {
        return firstFencePage() + RunLayout.pages(entryPages(), layout.wordsPerPage());
    }

    long fileBytes() {
        int filterPages = RunLayout.pages(filterWords, layout.wordsPerPage());
        return ((long) firstFilterPage() + filterPages) * layout.pageBytes();
    }

    /** How many entries that page has, from 1 on; all but the last are full. */
    int entriesOf(int page) {
        int full = layout.entriesPerPage();
        return (int) Math.min(full, entries - (page - 1L) * full);
    }

    static String fileName(int number) {
        return String.format("%08x.run", number);
    }
}
