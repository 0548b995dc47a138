// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.agent.dispersal.shard.GroupFrame;
import io.shredder.backup.agent.dispersal.shard.Groups;
import io.shredder.backup.agent.dispersal.shard.Members;
import io.shredder.backup.agent.dispersal.shard.StoredVersion;
import java.util.BitSet;
import java.util.List;
import org.junit.jupiter.api.Test;

class CellsCacheTest {

    private static final StoredVersion FILE = new StoredVersion("file", 1, 1, StoredVersion.Kind.CODED);
    private static final int BYTES = 4 << 18;

    private final CellsCache cache = new CellsCache(6, Runnable::run, 2);

    private static Groups.Group group(int number) {
        GroupFrame frame =
                new GroupFrame(BYTES / 4, number, (long) number * BYTES, BYTES, new Members(new BitSet()), List.of());
        return new Groups.Group(frame, number * 1000L);
    }

    private void give(int number, int bytes) {
        cache.gaveOut(FILE, cache.get(FILE, group(number)), bytes);
    }

    @Test
    void ofGroupsThatWereGivenOutWholeTheLastTwoAreKept() {
        cache.open(FILE);
        give(0, BYTES / 2);
        give(0, BYTES / 2);
        give(1, BYTES - 1);
        give(2, BYTES);
        give(3, BYTES);
        assertThat(cache.has(FILE, group(0))).isFalse();
        assertThat(cache.has(FILE, group(1))).as("somebody may want the rest").isTrue();
        assertThat(cache.has(FILE, group(2))).isTrue();
        give(0, BYTES);
        assertThat(cache.has(FILE, group(2))).isFalse();
        assertThat(cache.has(FILE, group(3))).isTrue();
        assertThat(cache.has(FILE, group(0))).isTrue();
    }

    /** Each of so many readers is one group further on, and three ahead of each are read. */
    @Test
    void whatIsReadAheadForAsManyReadersAsThereAreCoresStaysUntilItIsGivenOut() {
        for (int cores : new int[] {2, 4, 8, 16, 64}) {
            CellsCache ofMany = new CellsCache(6, Runnable::run, cores);
            ofMany.open(FILE);
            int readers = Math.min(16, cores);
            for (int number = 0; number < readers + 3; number++) {
                ofMany.get(FILE, group(number));
            }
            for (int number = 0; number < readers + 3; number++) {
                assertThat(ofMany.has(FILE, group(number)))
                        .as("group %s with %s cores", number, cores)
                        .isTrue();
            }
        }
    }
}
