// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

/**
 * Where things are in a run ({@code docs/formats/index.md}, section 5): a header page, then the filter, entries and
 * fences.
 *
 * @param entries how many the run has
 * @param filterWords how many words of eight bytes its filter has
 */
record RunFormat(long entries, int filterWords) {

    static final int SALT_AT = 64;
    static final int ENTRIES_AT = SALT_AT + IndexKey.SALT_BYTES;
    static final int FILTER_WORDS_AT = ENTRIES_AT + Long.BYTES;

    int entryPages() {
        return RunLayout.pages(entries, RunLayout.ENTRIES_PER_PAGE);
    }

    int firstEntryPage() {
        return firstFilterPage() + filterPages();
    }

    int firstFencePage() {
        return firstEntryPage() + entryPages();
    }

    int firstFilterPage() {
        return 1;
    }

    private int filterPages() {
        return RunLayout.pages(filterBytes(), RunLayout.PLAIN_BYTES);
    }

    private int fencePages() {
        return RunLayout.pages(fenceBytes(), RunLayout.PLAIN_BYTES);
    }

    long filterBytes() {
        return (long) filterWords * Long.BYTES;
    }

    long fenceBytes() {
        return (long) entryPages() * RunLayout.FENCE_BYTES;
    }

    long fileBytes() {
        return (1L + filterPages() + entryPages() + fencePages()) * RunLayout.PAGE_BYTES;
    }

    /** How many entries an entry page has, counted from 0; all but the last are full. */
    int entriesOf(int entryPage) {
        int full = RunLayout.ENTRIES_PER_PAGE;
        return (int) Math.min(full, entries - (long) entryPage * full);
    }

    static String fileName(int number) {
        return String.format("%08x.run", number);
    }
}
