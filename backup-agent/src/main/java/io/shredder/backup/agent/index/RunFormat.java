// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

/**
 * Where things are in a run ({@code docs/formats/index.md}, section 5): a header page; the filter, entries, fences, or
 * in old versions the entries, fences, filter.
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

    int firstEntryPage() {
        return layout.isFilterFirst() ? 1 + filterPages() : 1;
    }

    int firstFencePage() {
        return firstEntryPage() + entryPages();
    }

    int firstFilterPage() {
        return layout.isFilterFirst() ? 1 : firstFencePage() + fencePages();
    }

    private int filterPages() {
        return RunLayout.pages(filterBytes(), layout.plainBytes());
    }

    private int fencePages() {
        return RunLayout.pages(fenceBytes(), layout.plainBytes());
    }

    long filterBytes() {
        return (long) filterWords * Long.BYTES;
    }

    long fenceBytes() {
        return (long) entryPages() * layout.fenceBytes();
    }

    long fileBytes() {
        return (1L + filterPages() + entryPages() + fencePages()) * layout.pageBytes();
    }

    /** How many entries an entry page has, counted from 0; all but the last are full. */
    int entriesOf(int entryPage) {
        int full = layout.entriesPerPage();
        return (int) Math.min(full, entries - (long) entryPage * full);
    }

    static String fileName(int number) {
        return String.format("%08x.run", number);
    }
}
