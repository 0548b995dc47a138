// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.agent.dispersal.shard.CellArrays;
import io.shredder.backup.agent.dispersal.shard.GroupFrame;
import io.shredder.backup.agent.dispersal.shard.Groups;
import io.shredder.backup.agent.dispersal.shard.Members;
import io.shredder.backup.agent.dispersal.shard.StoredVersion;
import java.nio.ByteBuffer;
import java.util.ArrayList;
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
        CachedCells cells = cache.get(FILE, group(number));
        cache.gaveOut(FILE, cells, bytes);
        cells.release();
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

    /** Each of so many readers is one group further on, and three ahead of each are read; other files are open, too. */
    @Test
    void whatIsReadAheadForAsManyReadersAsThereAreCoresStaysUntilItIsGivenOut() {
        for (int cores : new int[] {2, 4, 8, 16, 64}) {
            CellsCache ofMany = new CellsCache(6, Runnable::run, cores);
            ofMany.open(FILE);
            for (int other = 0; other < 200; other++) {
                ofMany.open(new StoredVersion("other", 1, other, StoredVersion.Kind.CODED));
            }
            int groups = Math.min(16, cores) + 3;
            for (int number = 0; number < groups; number++) {
                ofMany.get(FILE, group(number));
            }
            for (int number = 0; number < groups; number++) {
                assertThat(ofMany.has(FILE, group(number)))
                        .as("group %s with %s cores", number, cores)
                        .isTrue();
            }
        }
    }

    @Test
    void allFilesTogetherTakeNoMoreThanTheyMayAndOneThatIsClosedNothing() {
        List<StoredVersion> files = new ArrayList<>();
        for (int number = 0; number < 100; number++) {
            files.add(new StoredVersion("file", 1, number, StoredVersion.Kind.CODED));
            cache.open(files.get(number));
            cache.get(files.get(number), group(0));
        }
        assertThat(files.stream().filter(file -> cache.has(file, group(0))))
                .as("of 1.5 MiB each")
                .isEqualTo(files.subList(36, 100));
        cache.close(files.get(99));
        assertThat(cache.has(files.get(99), group(0))).isFalse();
        assertThat(cache.get(files.get(99), group(0))).isNotSameAs(cache.get(files.get(99), group(0)));
        cache.open(files.get(0));
        cache.get(files.get(0), group(0));
        assertThat(cache.has(files.get(36), group(0)))
                .as("in the place of the one that is closed")
                .isTrue();
    }

    private static ByteBuffer cell(int value) {
        ByteBuffer cell = CellArrays.shared().take(BYTES / 4);
        return cell.put(0, (byte) value);
    }

    @Test
    void whoReadsAGroupHasItsCellsUntilItIsReleasedAlsoIfTheFileIsClosed() {
        cache.open(FILE);
        CachedCells reader = cache.get(FILE, group(0));
        reader.put(1, cell(7));
        CachedCells other = cache.get(FILE, group(0));
        assertThat(other).isSameAs(reader);
        cache.close(FILE);
        other.release();
        assertThat(reader.get(1).get(0)).isEqualTo((byte) 7);
        byte[] array = reader.get(1).array();
        reader.release();
        assertThat(reader.has(1)).isFalse();
        assertThat(CellArrays.shared().take(BYTES / 4).array()).isSameAs(array);
        reader.put(2, cell(8));
        assertThat(reader.get(2).get(0)).as("too late, and garbage").isEqualTo((byte) 8);
    }

    @Test
    void aGroupThatIsDroppedForOthersStaysWithWhoReadsIt() {
        cache.open(FILE);
        CachedCells reader = cache.get(FILE, group(0));
        reader.put(0, cell(1));
        for (int number = 1; number < 200; number++) {
            cache.get(FILE, group(number)).release();
        }
        assertThat(cache.has(FILE, group(0))).isFalse();
        assertThat(reader.get(0).get(0)).isEqualTo((byte) 1);
        reader.release();
        assertThat(reader.has(0)).isFalse();
    }
}
