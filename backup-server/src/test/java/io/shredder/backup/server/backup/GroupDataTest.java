// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.backup;

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
        PlainPart room = data.room(plain.remaining());
        room.bytes().put(plain.duplicate());
        return room.bytes();
    }

    private static ByteBuffer buffer(GroupData data) {
        return data.room(10).whole();
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
    void oneBufferOutsideOfTheHeapServesOneGroupAfterAnotherAndNeverTwoAtOnce() {
        GroupData first = pool.take();
        ByteBuffer buffer = buffer(first);
        assertThat(buffer.isDirect()).isTrue();
        assertThat(buffer(first)).isSameAs(buffer);
        assertThat(buffer(pool.take())).isNotSameAs(buffer);
        first.giveBack();
        first.giveBack();
        assertThat(buffer(pool.take())).isSameAs(buffer);
        assertThat(buffer(pool.take())).isNotSameAs(buffer);
    }

    @Test
    void aClosedPoolLeavesAGroupItsBuffer() {
        GroupData used = pool.take();
        GroupData unused = pool.take();
        ByteBuffer kept = copy(used, ByteBuffer.wrap(new byte[] {1, 2, 3}));
        copy(unused, ByteBuffer.allocate(10));
        unused.giveBack();
        pool.close();
        assertThat(kept).isEqualTo(ByteBuffer.wrap(new byte[] {1, 2, 3}));
        used.giveBack();
        pool.close();
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
