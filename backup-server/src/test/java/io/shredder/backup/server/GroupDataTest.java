// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class GroupDataTest {

    private static final int CAPACITY_BYTES = 4 << 20;

    private final GroupData.Pool pool = new GroupData.Pool(4 << 20);

    private static ByteBuffer copy(GroupData data, ByteBuffer plain) {
        ByteBuffer room = data.room(plain.remaining());
        room.duplicate().put(plain.duplicate());
        return room;
    }

    private static ByteBuffer bytes(Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return ByteBuffer.wrap(bytes);
    }

    @Test
    void copiesKeepTheirBytesWhateverBecomesOfTheOriginal() {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        GroupData data = pool.take();
        List<byte[]> expected = new ArrayList<>();
        List<ByteBuffer> copies = new ArrayList<>();
        while (!data.isFull()) {
            ByteBuffer plain = bytes(random, 1 + random.nextInt(300_000));
            expected.add(plain.array().clone());
            copies.add(copy(data, plain));
            assertThat(plain.remaining()).isEqualTo(plain.capacity());
            random.nextBytes(plain.array());
        }
        for (int i = 0; i < copies.size(); i++) {
            assertThat(copies.get(i)).as("copy %d, seed %d", i, seed).isEqualTo(ByteBuffer.wrap(expected.get(i)));
        }
    }

    @Test
    void oneArrayServesOneGroupAfterAnotherAndNeverTwoAtOnce() {
        GroupData first = pool.take();
        byte[] array = copy(first, ByteBuffer.allocate(10)).array();
        GroupData beside = pool.take();
        assertThat(copy(beside, ByteBuffer.allocate(10)).array()).isNotSameAs(array);
        first.giveBack();
        first.giveBack();
        GroupData next = pool.take();
        assertThat(copy(next, ByteBuffer.allocate(10)).array()).isSameAs(array);
        assertThat(copy(pool.take(), ByteBuffer.allocate(10)).array()).isNotSameAs(array);
    }

    @Test
    void aChunkThatHasNoRoomIsCopiedAllTheSameAndFillsTheGroup() {
        GroupData data = pool.take();
        ByteBuffer small = bytes(new Random(1), 100);
        ByteBuffer large = bytes(new Random(2), CAPACITY_BYTES + 1);
        assertThat(copy(data, small)).isEqualTo(small);
        assertThat(data.isFull()).isFalse();
        assertThat(copy(data, large)).isEqualTo(large);
        assertThat(data.isFull()).isTrue();
    }
}
