// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.protocol.ChunkRef;
import io.shredder.backup.protocol.WireFormat;
import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.util.ArrayList;
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
            region.add(ref(plain), plain);
        }
        assertThat(region.hasRoomFor(ref(plain(random, third, false)))).isTrue();
        assertThat(region.hasRoomFor(ref(plain(random, third + 10, false)))).isFalse();
        ByteBuffer last = plain(random, 10, true);
        region.add(ref(last), last);
        assertThat(region.hasRoomFor(ref(plain(random, 1, false)))).isFalse();
        region.clear();
        assertThat(region.isEmpty()).isTrue();
        assertThat(region.hasRoomFor(new ChunkRef(RegionBounds.MAX_BYTES + 1, Fingerprint.ofData(last))))
                .isTrue();
    }

    @Test
    void aRegionHasNoMoreChunksThanAnAgentTakes() {
        Random random = new Random(2);
        for (int i = 0; i < WireFormat.MAX_REGION_CHUNKS; i++) {
            ByteBuffer plain = plain(random, 8, false);
            assertThat(region.hasRoomFor(ref(plain))).isTrue();
            region.add(ref(plain), plain);
        }
        assertThat(region.hasRoomFor(ref(plain(random, 8, false)))).isFalse();
    }

    @Test
    void itsBytesAreThoseOfItsChunksWhereverTheyLieAndNotCopiedIfTheyLieTogether() {
        Random random = new Random(3);
        byte[] array = new byte[1000];
        random.nextBytes(array);
        for (int step : new int[] {0, 1, -150}) {
            region.clear();
            ByteBuffer expected = ByteBuffer.allocate(1000);
            List<ChunkRef> refs = new ArrayList<>();
            int at = 400;
            for (int length : new int[] {100, 50, 70}) {
                ByteBuffer plain = ByteBuffer.wrap(array).slice(at, length);
                refs.add(ref(plain));
                region.add(ref(plain), plain);
                expected.put(plain.duplicate());
                at += length + step;
            }
            assertThat(region.chunks()).isEqualTo(refs);
            ByteBuffer plain = region.plain();
            assertThat(plain.duplicate()).isEqualTo(expected.flip());
            assertThat(plain.array() == array).isEqualTo(step == 0);
        }
    }
}
