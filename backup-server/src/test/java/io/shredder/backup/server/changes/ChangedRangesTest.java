// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.changes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.server.source.Extent;
import java.io.IOException;
import java.io.StringReader;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ChangedRangesTest {

    @Test
    void rangesThatOverlapOrAdjoinAreOneAndEveryQuestionIsAnsweredAsByASetOfBytes() {
        long seed = Long.getLong("shredder.seed", System.nanoTime());
        System.out.println("seed " + seed + " (again with -Dshredder.seed=" + seed + ")");
        Random random = new Random(seed);
        for (int round = 0; round < 300; round++) {
            BitSet bytes = new BitSet();
            List<Extent> extents = new ArrayList<>();
            for (int i = random.nextInt(8); i > 0; i--) {
                Extent extent = new Extent(random.nextInt(100), 1 + random.nextInt(20));
                extents.add(extent);
                bytes.set((int) extent.offset(), (int) extent.end());
            }
            ChangedRanges ranges = ChangedRanges.of(extents);
            assertThat(ranges.bytes()).isEqualTo(bytes.cardinality());
            for (int at = 0; at < 125; at++) {
                int next = bytes.nextSetBit(at);
                assertThat(ranges.nextFrom(at)).isEqualTo(next < 0 ? Long.MAX_VALUE : next);
                assertThat(ranges.endOf(at)).isEqualTo(bytes.nextClearBit(at));
                int to = at + 1 + random.nextInt(10);
                assertThat(ranges.touch(at, to)).isEqualTo(next >= 0 && next < to);
            }
        }
    }

    private static ChangedRanges read(String list) throws IOException {
        return ChangeList.read(new StringReader(list), "list");
    }

    @Test
    void listsOfOtherProgramsAreRead() throws IOException {
        for (String list : List.of(
                "Offset       Length  Type\n0            4096    data\n8192         4096    zero\n",
                "0 4096\n\n8192\t4096\n9000 0\n",
                "[{\"offset\":0,\"length\":4096,\"exists\":\"true\"},{\"offset\":8192,\"length\":4096}]",
                " {\"offset\":8192,\"length\":4096}\n{\"offset\":0,\"length\":4096}\n")) {
            ChangedRanges ranges = read(list);
            assertThat(ranges.bytes()).as(list).isEqualTo(8192);
            assertThat(ranges.touch(8191, 8193)).isTrue();
            assertThat(ranges.touch(4096, 8192)).isFalse();
        }
        assertThat(read("").bytes()).isZero();
        assertThat(read("[]").bytes()).isZero();
    }

    @Test
    void whatIsNoListIsRefusedByItsPlace() {
        assertThatThrownBy(() -> read("0 4096\n12 x\n"))
                .hasMessage("list:2: '12 x' is no range: write its offset and length in bytes");
        assertThatThrownBy(() -> read("0 4096\nOffset Length\n")).hasMessageContaining("list:2");
        assertThatThrownBy(() -> read("99999999999999999999 1\n")).hasMessageContaining("list:1");
        for (String wrong : List.of(
                "[{\"offset\":-1,\"length\":1}]",
                "[{\"offset\":1}]",
                "{\"offset\":\"1\",\"length\":1}",
                "{\"offset\":9223372036854775807,\"length\":1}")) {
            assertThatThrownBy(() -> read(wrong)).as(wrong).hasMessageContaining("is no range");
        }
        assertThatThrownBy(() -> read("[{\"offset\":1,\"length\":1}")).isInstanceOf(IOException.class);
    }
}
