// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.Samples;
import io.shredder.backup.posix.DirectMemory;
import io.shredder.backup.region.StoredRegion;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class BodyBuffersTest {

    private static final int KEPT_BYTES = 8 << 20;

    private final BodyBuffers onHeap = BodyBuffers.onHeap(KEPT_BYTES);

    static List<BodyBuffers> both() {
        return List.of(BodyBuffers.onHeap(KEPT_BYTES), BodyBuffers.outsideHeap(KEPT_BYTES, DirectMemory::free));
    }

    private static Frame frame(FrameType type, ByteBuffer body) {
        return new Frame(type, 1, body, 0);
    }

    @ParameterizedTest
    @MethodSource("both")
    void everyLengthGetsABufferThatIsLongEnoughAndAtMostTwiceAsLong(BodyBuffers buffers) {
        for (int bytes = 0; bytes <= BodyBuffers.MAX_BUFFER_BYTES; bytes += 10_001) {
            ByteBuffer buffer = buffers.take(bytes);
            assertThat(buffer.remaining()).isBetween(bytes, Math.max(BodyBuffers.MIN_BUFFER_BYTES, 2 * bytes));
            buffers.giveBack(buffer);
        }
        assertThat(buffers.take(BodyBuffers.MAX_BUFFER_BYTES).capacity()).isEqualTo(BodyBuffers.MAX_BUFFER_BYTES);
        assertThat(buffers.take(BodyBuffers.MAX_BUFFER_BYTES + 1).capacity())
                .isEqualTo(BodyBuffers.MAX_BUFFER_BYTES + 1);
    }

    @ParameterizedTest
    @MethodSource("both")
    void aBufferThatWasGivenBackIsUsedAgainForABodyThatNeedsOneOfItsLength(BodyBuffers buffers) {
        ByteBuffer buffer = buffers.take(30_000);
        assertThat(buffers.take(30_000)).isNotSameAs(buffer);
        buffer.position(7).limit(9);
        buffers.giveBack(frame(FrameType.PUT, buffer));
        assertThat(buffers.take(10_000)).isNotSameAs(buffer);
        assertThat(buffers.take(20_000)).isSameAs(buffer);
        assertThat(buffer.remaining()).isEqualTo(buffer.capacity());
        assertThat(buffers.take(20_000)).isNotSameAs(buffer);
    }

    @Test
    void whatOtherFramesHaveIsNotKeptAsSomebodyMayStillReadIt() {
        ByteBuffer buffer = onHeap.take(30_000);
        onHeap.giveBack(frame(FrameType.APPEND, buffer));
        assertThat(onHeap.take(30_000)).isNotSameAs(buffer);
    }

    @Test
    void anArrayOfSeveralRegionsIsKeptOnce() {
        List<StoredRegion> regions = new ArrayList<>();
        byte[] array = onHeap.take(30_000).array();
        for (StoredRegion sealed : Samples.chunks(new Random(1), 3, 9_000)) {
            int from = regions.size() * 10_000;
            sealed.stored().write(ByteBuffer.wrap(array).position(from));
            var stored = new StoredRegion.Payload(array, from, sealed.stored().length());
            regions.add(new StoredRegion(sealed.chunks(), sealed.codec(), sealed.storedDigest(), stored));
        }
        onHeap.giveBack(regions);
        assertThat(onHeap.take(30_000).array()).isSameAs(array);
        assertThat(onHeap.take(30_000).array()).isNotSameAs(array);
    }

    @Test
    void buffersOfOtherLengthsAreNotKept() {
        onHeap.giveBack(frame(FrameType.PUT, ByteBuffer.allocate(0)));
        onHeap.giveBack(frame(FrameType.PUT, ByteBuffer.allocate(BodyBuffers.MIN_BUFFER_BYTES / 2)));
        onHeap.giveBack(frame(FrameType.PUT, ByteBuffer.allocate(5000)));
        onHeap.giveBack(frame(FrameType.PUT, ByteBuffer.allocate(2 * BodyBuffers.MAX_BUFFER_BYTES)));
        assertThat(onHeap.take(5000).capacity()).isEqualTo(8192);
        assertThat(onHeap.take(0).capacity()).isEqualTo(BodyBuffers.MIN_BUFFER_BYTES);
    }

    @Test
    void whatIsNotKeptOutsideOfTheHeapIsFreedAtOnce() {
        BodyBuffers buffers = BodyBuffers.outsideHeap(BodyBuffers.MAX_BUFFER_BYTES, DirectMemory::free);
        List<ByteBuffer> taken = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            taken.add(buffers.take(BodyBuffers.MAX_BUFFER_BYTES));
        }
        taken.add(buffers.take(3 * BodyBuffers.MAX_BUFFER_BYTES));
        long before = directBytes();
        taken.forEach(buffer -> buffers.giveBack(frame(FrameType.PUT, buffer)));
        assertThat(before - directBytes()).isEqualTo(10L * BodyBuffers.MAX_BUFFER_BYTES);
    }

    private static long directBytes() {
        return ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .mapToLong(BufferPoolMXBean::getMemoryUsed)
                .sum();
    }

    @ParameterizedTest
    @MethodSource("both")
    void noMoreIsKeptThanTheLimitHoweverManyAreGivenBack(BodyBuffers buffers) {
        Set<ByteBuffer> given = Collections.newSetFromMap(new IdentityHashMap<>());
        int most = KEPT_BYTES / BodyBuffers.MAX_BUFFER_BYTES;
        for (int i = 0; i < 2 * most; i++) {
            given.add(buffers.take(BodyBuffers.MAX_BUFFER_BYTES));
        }
        given.forEach(buffer -> buffers.giveBack(frame(FrameType.PUT, buffer)));
        int again = 0;
        while (given.contains(buffers.take(BodyBuffers.MAX_BUFFER_BYTES))) {
            again++;
        }
        assertThat(again).isEqualTo(most);
    }
}
