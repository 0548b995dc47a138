// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import io.shredder.chunk.Fingerprint;

/** The prefix of the first fingerprint of each entry page, ascending: which pages may hold a fingerprint. */
final class RunFences {

    private final long[] prefixes;
    private int count;

    /** None yet, and room for so many. */
    RunFences(int pages) {
        prefixes = new long[pages];
    }

    /** Takes over fences that were written. */
    RunFences(long[] prefixes) {
        this.prefixes = prefixes;
        this.count = prefixes.length;
    }

    void add(Fingerprint first) {
        prefixes[count++] = first.prefix();
    }

    int count() {
        return count;
    }

    long word(int index) {
        return prefixes[index];
    }

    /** The first page, counted from 0, that may hold the prefix; -1 if none does. */
    int firstPage(long prefix) {
        int notBelow = lowerBound(prefix);
        if (notBelow == 0) {
            return count > 0 && prefixes[0] == prefix ? 0 : -1;
        }
        return notBelow - 1;
    }

    /** Whether page {@code page + 1} may hold it, too. */
    boolean mayContinue(int page, long prefix) {
        return page + 1 < count && prefixes[page + 1] == prefix;
    }

    /** The first index whose prefix is not below; prefixes are uniform, so a guess is close and the search starts there. */
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
        return Long.compareUnsigned(prefixes[index], prefix) < 0;
    }
}
