// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.shard;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class CellArraysTest {

    private static final int CELL = GroupFrame.CELL_BYTES;

    private final CellArrays arrays = new CellArrays();

    @Test
    void whatWasGivenBackIsTakenAgainForCellsOfItsLengthAndByOneAtATime() {
        ByteBuffer first = arrays.take(CELL + 2);
        assertThat(first.remaining()).isEqualTo(CELL + 2);
        byte[] array = first.array();
        arrays.giveBack(first.position(2).slice());
        assertThat(arrays.take(CELL).array()).isNotSameAs(array);
        ByteBuffer again = arrays.take(CELL + 3);
        assertThat(again.array()).isSameAs(array);
        assertThat(again.position()).isZero();
        assertThat(again.remaining()).isEqualTo(CELL + 3);
        assertThat(arrays.take(CELL + 2).array()).isNotSameAs(array);
    }

    @Test
    void nothingThatCouldBeOthersIsKept() {
        for (int length : new int[] {0, 1, 100, CELL - 1}) {
            ByteBuffer strange = ByteBuffer.allocate(length);
            arrays.giveBack(strange);
            assertThat(arrays.take(length).array()).isNotSameAs(strange.array());
        }
        arrays.giveBack(ByteBuffer.allocateDirect(CELL));
        arrays.giveBack(arrays.take(CELL).asReadOnlyBuffer());
        assertThat(arrays.take(CELL).isDirect()).isFalse();
    }

    @Test
    void noMoreIsKeptThanItMay() {
        List<ByteBuffer> taken = new ArrayList<>();
        Set<byte[]> lent = Collections.newSetFromMap(new IdentityHashMap<>());
        for (int i = 0; i < 500; i++) {
            taken.add(arrays.take(CELL));
            lent.add(taken.get(i).array());
        }
        assertThat(lent).hasSize(500);
        taken.forEach(arrays::giveBack);
        int again = 0;
        for (int i = 0; i < 500; i++) {
            again += lent.contains(arrays.take(CELL).array()) ? 1 : 0;
        }
        assertThat(again).isEqualTo((32 << 20) / CELL);
    }
}
