// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import java.io.IOException;

/**
 * The first 4 bytes of the first fingerprint of each entry page, ascending: which pages may hold a fingerprint. As
 * fingerprints are uniform, 4 bytes tell apart the pages of runs far larger than there are; where they don't, one page
 * more is opened.
 */
final class RunFences {

    private final int[] prefixes;
    private int count;

    /** None yet, and room for so many. */
    RunFences(int pages) {
        prefixes = new int[pages];
    }

    /** Reads those of a run. */
    static RunFences read(RunPages pages, RunFormat format) throws IOException {
        RunFences fences = new RunFences(format.entryPages());
        pages.read(format.firstFencePage(), format.fenceBytes(), bytes -> {
            while (bytes.hasRemaining()) {
                fences.prefixes[fences.count++] = bytes.getInt();
            }
        });
        return fences;
    }

    /** Writes all to {@code pages}. */
    void write(PageWriter pages) throws IOException {
        for (int i = 0; i < count; i++) {
            pages.room().putInt(prefixes[i]);
        }
        pages.end();
    }

    /** Another page, whose first fingerprint begins with this prefix. */
    void add(long prefix) {
        prefixes[count++] = upper(prefix);
    }

    private static int upper(long prefix) {
        return (int) (prefix >>> Integer.SIZE);
    }

    /** Memory held. */
    long bytes() {
        return (long) prefixes.length * Integer.BYTES;
    }

    /** The first page, counted from 0, that may hold the prefix; -1 if none does. */
    int firstPage(long prefix) {
        int notBelow = lowerBound(prefix);
        if (notBelow == 0) {
            return count > 0 && prefixes[0] == upper(prefix) ? 0 : -1;
        }
        return notBelow - 1;
    }

    /** Whether page {@code page + 1} may hold it, too. */
    boolean mayContinue(int page, long prefix) {
        return page + 1 < count && prefixes[page + 1] == upper(prefix);
    }

    /**
     * The first index whose prefix is not below; prefixes are uniform, so a guess is close and the search starts there.
     */
    private int lowerBound(long prefix) {
        int guess = (int) (Math.multiplyHigh(prefix, count) + ((prefix >> 63) & count));
        int low = guess;
        for (int step = 1; low > 0 && !below(low - 1, prefix); step <<= 1) {
            low = Math.max(0, low - step);
        }
        int high = guess;
        for (int step = 1; high < count && below(high, prefix); step <<= 1) {
            high = Math.min(count, high + step);
        }
        while (low < high) {
            int middle = (low + high) >>> 1;
            if (below(middle, prefix)) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    private boolean below(int index, long prefix) {
        return Integer.compareUnsigned(prefixes[index], upper(prefix)) < 0;
    }
}
