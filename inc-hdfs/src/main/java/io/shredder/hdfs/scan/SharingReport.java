// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan;

import java.io.PrintStream;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;

/** Says what groups of files share. */
final class SharingReport {

    private static final int MOST_PAIRS = 10;
    private static final double PERCENT = 100;

    private final Sharing sharing;
    private final List<String> groups;

    /**
     * Prints nothing yet.
     *
     * @param groups their names, in the order of their numbers
     */
    SharingReport(Sharing sharing, List<String> groups) {
        this.sharing = sharing;
        this.groups = List.copyOf(groups);
    }

    private record Pair(int one, int other, long bytes) {}

    /**
     * Prints it as lines with fields separated by tabs.
     *
     * @param scale by which what was counted stands for all; 1 if all was counted
     */
    void print(PrintStream out, double scale) {
        line(out, scale, "all", sharing.bytes(), sharing.different());
        for (int group = 0; group < groups.size(); group++) {
            line(out, scale, "in " + groups.get(group), sharing.bytes(group), sharing.different(group));
        }
        for (Pair pair : pairs()) {
            long smaller = Math.min(sharing.different(pair.one()), sharing.different(pair.other()));
            out.printf(
                    Locale.ROOT,
                    "both %s and %s\t%.0f bytes\t%.1f %% of the smaller%n",
                    groups.get(pair.one()),
                    groups.get(pair.other()),
                    scale * pair.bytes(),
                    PERCENT * pair.bytes() / smaller);
        }
        for (int size = 0; size < Sharing.CLASSES; size++) {
            if (sharing.bytesOfSize(size) > 0) {
                line(
                        out,
                        scale,
                        "chunks from " + (1L << size) + " bytes",
                        sharing.bytesOfSize(size),
                        sharing.differentOfSize(size));
            }
        }
    }

    private static void line(PrintStream out, double scale, String what, long bytes, long different) {
        double saved = bytes == 0 ? 0 : PERCENT * (bytes - different) / bytes;
        out.printf(
                Locale.ROOT,
                "%s\t%.0f bytes\t%.0f different\t%.1f %% saved%n",
                what,
                scale * bytes,
                scale * different,
                saved);
    }

    private List<Pair> pairs() {
        List<Pair> pairs = new ArrayList<>();
        for (int one = 0; one < groups.size(); one++) {
            for (int other = one + 1; other < groups.size(); other++) {
                if (sharing.shared(one, other) > 0) {
                    pairs.add(new Pair(one, other, sharing.shared(one, other)));
                }
            }
        }
        pairs.sort(Comparator.comparingLong(Pair::bytes).reversed());
        return pairs.subList(0, Math.min(MOST_PAIRS, pairs.size()));
    }
}
