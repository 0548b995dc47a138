// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.Samples;
import io.shredder.backup.region.StoredRegion;
import io.shredder.chunk.InTurn;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class BodyArraysTest {

    private static final int KEPT_BYTES = 8 << 20;

    private final BodyArrays arrays = new BodyArrays(KEPT_BYTES);

    private static Frame frame(FrameType type, byte[] body) {
        return new Frame(type, 1, ByteBuffer.wrap(body), 0);
    }

    @InTurn(days = 3)
    @Test
    void everyLengthGetsAnArrayThatIsLongEnoughAndAtMostTwiceAsLong() {
        for (int bytes = 0; bytes <= BodyArrays.MAX_ARRAY_BYTES; bytes += 101) {
            assertThat(arrays.take(bytes).length).isBetween(bytes, Math.max(BodyArrays.MIN_ARRAY_BYTES, 2 * bytes));
        }
        assertThat(arrays.take(BodyArrays.MAX_ARRAY_BYTES)).hasSize(BodyArrays.MAX_ARRAY_BYTES);
    }

    @Test
    void anArrayThatWasGivenBackIsUsedAgainForABodyThatNeedsOneOfItsLength() {
        byte[] array = arrays.take(30_000);
        assertThat(arrays.take(30_000)).isNotSameAs(array);
        arrays.giveBack(frame(FrameType.PUT, array));
        assertThat(arrays.take(10_000)).isNotSameAs(array);
        assertThat(arrays.take(20_000)).isSameAs(array);
        assertThat(arrays.take(20_000)).isNotSameAs(array);
    }

    @Test
    void whatOtherFramesHaveIsNotKeptAsSomebodyMayStillReadIt() {
        byte[] array = arrays.take(30_000);
        arrays.giveBack(frame(FrameType.APPEND, array));
        assertThat(arrays.take(30_000)).isNotSameAs(array);
    }

    @Test
    void anArrayOfSeveralRegionsIsKeptOnce() {
        List<StoredRegion> regions = new ArrayList<>();
        byte[] array = arrays.take(30_000);
        for (StoredRegion sealed : Samples.chunks(new Random(1), 3, 9_000)) {
            int from = regions.size() * 10_000;
            sealed.stored().write(ByteBuffer.wrap(array).position(from));
            var stored = new StoredRegion.Payload(array, from, sealed.stored().length());
            regions.add(new StoredRegion(sealed.chunks(), sealed.codec(), sealed.storedDigest(), stored));
        }
        arrays.giveBack(regions);
        assertThat(arrays.take(30_000)).isSameAs(array);
        assertThat(arrays.take(30_000)).isNotSameAs(array);
    }

    @Test
    void arraysOfOtherLengthsAreNotKept() {
        arrays.giveBack(frame(FrameType.PUT, new byte[0]));
        arrays.giveBack(frame(FrameType.PUT, new byte[BodyArrays.MIN_ARRAY_BYTES / 2]));
        arrays.giveBack(frame(FrameType.PUT, new byte[5000]));
        arrays.giveBack(frame(FrameType.PUT, new byte[2 * BodyArrays.MAX_ARRAY_BYTES]));
        assertThat(arrays.take(5000)).hasSize(8192);
        assertThat(arrays.take(0)).hasSize(BodyArrays.MIN_ARRAY_BYTES);
    }

    @Test
    void noMoreIsKeptThanTheLimitHoweverManyAreGivenBack() {
        Set<byte[]> given = Collections.newSetFromMap(new IdentityHashMap<>());
        int most = KEPT_BYTES / BodyArrays.MAX_ARRAY_BYTES;
        for (int i = 0; i < 2 * most; i++) {
            byte[] array = new byte[BodyArrays.MAX_ARRAY_BYTES];
            given.add(array);
            arrays.giveBack(frame(FrameType.PUT, array));
        }
        int again = 0;
        while (given.contains(arrays.take(BodyArrays.MAX_ARRAY_BYTES))) {
            again++;
        }
        assertThat(again).isEqualTo(most);
    }
}
