// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import java.util.List;

/**
 * Which runs to join: the newest, up to the oldest that is at most {@value #GROWTH} times as large as all newer ones
 * together. So every run is more than twice as large as all newer ones, there are at most log3(n) of them, and an entry
 * is written again about log1.6(n) times, n being the number of tables that were merged.
 */
final class MergePolicy {

    private static final int GROWTH = 2;

    private MergePolicy() {}

    /** How many of the newest runs to join; 0 for none. */
    static int runsToMerge(List<Long> entriesNewestFirst) {
        int count = 0;
        long newer = 0;
        for (int i = 0; i < entriesNewestFirst.size(); i++) {
            if (i > 0 && newer * GROWTH >= entriesNewestFirst.get(i)) {
                count = i + 1;
            }
            newer += entriesNewestFirst.get(i);
        }
        return count;
    }
}
