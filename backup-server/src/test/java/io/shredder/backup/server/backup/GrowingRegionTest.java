// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.region.ChunkRef;
import io.shredder.backup.region.RegionFormat;
import io.shredder.backup.server.snapshot.RegionBounds;
import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class GrowingRegionTest {

    private final GrowingRegion region = new GrowingRegion();

    private static ChunkRef ref(ByteBuffer plain) {
        return new ChunkRef(plain.remaining(), Fingerprint.ofData(plain.duplicate()));
    }

    /** Bytes of this length that end a region, or don't. */
    private static ByteBuffer plain(Random random, int length, boolean ends) {
        byte[] bytes = new byte[length];
        do {
            random.nextBytes(bytes);
        } while (RegionBounds.endBehind(ref(ByteBuffer.wrap(bytes))) != ends);
        return ByteBuffer.wrap(bytes);
    }

    @Test
    void aRegionEndsWhereItIsLongEnoughOrItsLastChunkSaysSo() {
        Random random = new Random(1);
        int third = RegionBounds.MAX_BYTES / 3;
        for (int i = 0; i < 2; i++) {
            ByteBuffer plain = plain(random, third, false);
            assertThat(region.hasRoomFor(ref(plain))).isTrue();
            region.add(ref(plain), PlainPart.of(plain));
        }
        assertThat(region.hasRoomFor(ref(plain(random, third, false)))).isTrue();
        assertThat(region.hasRoomFor(ref(plain(random, third + 10, false)))).isFalse();
        ByteBuffer last = plain(random, 10, true);
        region.add(ref(last), PlainPart.of(last));
        assertThat(region.hasRoomFor(ref(plain(random, 1, false)))).isFalse();
        region.clear();
        assertThat(region.isEmpty()).isTrue();
        assertThat(region.hasRoomFor(new ChunkRef(RegionBounds.MAX_BYTES + 1, Fingerprint.ofData(last))))
                .isTrue();
    }

    @Test
    void aRegionHasNoMoreChunksThanAnAgentTakes() {
        Random random = new Random(2);
        for (int i = 0; i < RegionFormat.MAX_REGION_CHUNKS; i++) {
            ByteBuffer plain = plain(random, 8, false);
            assertThat(region.hasRoomFor(ref(plain))).isTrue();
            region.add(ref(plain), PlainPart.of(plain));
        }
        assertThat(region.hasRoomFor(ref(plain(random, 8, false)))).isFalse();
    }

    @Test
    void itsBytesAreThoseOfItsChunksWhereverTheyLieAndNotCopiedIfTheyLieTogether() {
        Random random = new Random(3);
        byte[] array = new byte[1000];
        random.nextBytes(array);
        ByteBuffer heap = ByteBuffer.wrap(array);
        ByteBuffer direct = ByteBuffer.allocateDirect(1000).put(array).clear();
        for (ByteBuffer whole : List.of(heap, direct)) {
            for (int step : new int[] {0, 1, -150}) {
                region.clear();
                ByteBuffer expected = ByteBuffer.allocate(1000);
                int at = 400;
                for (int length : new int[] {100, 50, 70}) {
                    PlainPart plain = new PlainPart(whole, at, length);
                    region.add(ref(plain.bytes()), plain);
                    expected.put(plain.bytes());
                    at += length + step;
                }
                assertThat(region.plain().isDirect()).isTrue();
                assertThat(region.plain()).isEqualTo(expected.flip());
                whole.put(400, (byte) ~whole.get(400));
                boolean lies = whole == direct && step == 0;
                assertThat(region.plain().get(0)).isEqualTo(whole.get(400));
                ByteBuffer again = region.plain();
                whole.put(400, (byte) ~whole.get(400));
                assertThat(again.get(0) == whole.get(400)).isEqualTo(lies);
            }
        }
        region.close();
    }

    @Test
    void partsOfTwoBuffersDoNotLieTogether() {
        PlainPart one = new PlainPart(ByteBuffer.allocateDirect(4).put(0, (byte) 1), 0, 2);
        PlainPart other = new PlainPart(ByteBuffer.allocateDirect(4).put(2, (byte) 2), 2, 2);
        region.add(ref(one.bytes()), one);
        region.add(ref(other.bytes()), other);
        assertThat(region.plain()).isEqualTo(ByteBuffer.wrap(new byte[] {1, 0, 2, 0}));
        region.close();
    }
}
