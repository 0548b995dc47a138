// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class MemoryDigestsTest {

    private static byte[] randomBytes(Random random) {
        byte[] bytes = new byte[300_000];
        random.nextBytes(bytes);
        return bytes;
    }

    private static Random seeded() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        return new Random(seed);
    }

    @ParameterizedTest
    @EnumSource
    void piecesBackToBackHaveTheDigestsThatJavaGivesThem(DigestAlgorithm algorithm) throws ShredderException {
        assertThat(NativeLibrary.failure()).isNull();
        Random random = seeded();
        byte[] bytes = randomBytes(random);
        ByteBuffer data = ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
        for (int count : new int[] {0, 1, 2, 15, 16, 17, 40}) {
            int from = random.nextInt(100);
            int[] lengths = random.ints(count, 0, 7_000).toArray();
            data.position(from);
            List<Fingerprint> expected = new ArrayList<>();
            int at = from;
            for (int length : lengths) {
                expected.add(Fingerprint.ofData(algorithm, data.slice(at, length)));
                at += length;
            }
            assertThat(MemoryDigests.of(algorithm, data.asReadOnlyBuffer(), lengths))
                    .isEqualTo(expected);
            assertThat(data.position()).isEqualTo(from);
        }
    }

    /** Pieces of many lengths, some of which overlap: those around a block's, and those that leave lanes idle. */
    @ParameterizedTest
    @EnumSource
    void piecesAnywhereHaveTheDigestsThatJavaGivesThem(DigestAlgorithm algorithm) throws ShredderException {
        Random random = seeded();
        byte[] bytes = randomBytes(random);
        ByteBuffer data = ByteBuffer.allocateDirect(bytes.length).put(bytes).position(17);
        for (int count = 0; count < 70; count++) {
            int[] places = new int[2 * count];
            byte[][] arrays = new byte[count][];
            List<ByteBuffer> buffers = new ArrayList<>();
            List<Fingerprint> expected = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                int length = random.nextInt(i % 3 == 0 ? 130 : 20_000);
                places[2 * i] = random.nextInt(bytes.length - length + 1);
                places[2 * i + 1] = length;
                arrays[i] = i % 2 == 0 ? bytes : bytes.clone();
                buffers.add(data.duplicate().limit(places[2 * i] + length).position(places[2 * i]));
                expected.add(Fingerprint.ofData(algorithm, ByteBuffer.wrap(bytes, places[2 * i], length)));
            }
            assertThat(MemoryDigests.ofPlaces(algorithm, data, places)).isEqualTo(expected);
            assertThat(MemoryDigests.ofArrays(algorithm, arrays, places)).isEqualTo(expected);
            assertThat(MemoryDigests.ofBuffers(algorithm, buffers)).isEqualTo(expected);
        }
        assertThat(data.position()).isEqualTo(17);
    }

    @ParameterizedTest
    @EnumSource
    void aBufferOfAnyKindHasTheDigestThatJavaGivesIt(DigestAlgorithm algorithm) throws ShredderException {
        Random random = seeded();
        byte[] bytes = randomBytes(random);
        for (int length : new int[] {0, 1, 1_024, 1_025, 200_000}) {
            int from = random.nextInt(1_000);
            ByteBuffer array = ByteBuffer.wrap(bytes, 5, bytes.length - 5)
                    .slice()
                    .position(from)
                    .limit(from + length);
            ByteBuffer direct = ByteBuffer.allocateDirect(bytes.length).put(0, bytes);
            direct.position(5 + from).limit(5 + from + length);
            Fingerprint expected = Fingerprint.ofData(algorithm, array);
            for (ByteBuffer data : List.of(array, array.asReadOnlyBuffer(), direct, direct.asReadOnlyBuffer())) {
                assertThat(MemoryDigests.of(algorithm, data))
                        .as(data.toString())
                        .isEqualTo(expected);
                assertThat(data.remaining()).isEqualTo(length);
            }
        }
    }

    @Test
    void whatIsNotInTheBufferIsRefused() {
        ByteBuffer data = ByteBuffer.allocateDirect(100).position(40);
        assertThatThrownBy(() -> MemoryDigests.of(DigestAlgorithm.SHA_256, data, new int[] {30, 31}))
                .hasMessageContaining("61 bytes are not in a buffer of 60");
        assertThatThrownBy(() -> MemoryDigests.of(DigestAlgorithm.SHA_256, data, new int[] {-1}))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> MemoryDigests.of(DigestAlgorithm.SHA_256, ByteBuffer.allocate(9), new int[] {9}))
                .hasMessageContaining("direct");
        assertThatThrownBy(
                        () -> MemoryDigests.ofBuffers(DigestAlgorithm.SHA_256, List.of(data, ByteBuffer.allocate(9))))
                .hasMessageContaining("direct");
    }

    @Test
    void placesThatAreNotInTheBufferOrTheArrayAreRefused() {
        ByteBuffer data = ByteBuffer.allocateDirect(100).limit(60);
        byte[][] arrays = {new byte[60]};
        for (int[] places : new int[][] {{30, 31}, {-1, 1}, {0, -1}, {61, 0}, {Integer.MAX_VALUE, 2}}) {
            assertThatThrownBy(() -> MemoryDigests.ofPlaces(DigestAlgorithm.SHA_256, data, places))
                    .isInstanceOf(IndexOutOfBoundsException.class);
            assertThatThrownBy(() -> MemoryDigests.ofArrays(DigestAlgorithm.SHA_256, arrays, places))
                    .isInstanceOf(IndexOutOfBoundsException.class);
        }
        assertThatThrownBy(() -> MemoryDigests.ofPlaces(DigestAlgorithm.SHA_256, data, new int[] {1, 1, 1}))
                .hasMessageContaining("3 numbers are not two a piece");
        assertThatThrownBy(() -> MemoryDigests.ofArrays(DigestAlgorithm.SHA_256, arrays, new int[4]))
                .hasMessageContaining("1 arrays, but places of 2");
        assertThatThrownBy(() -> MemoryDigests.ofPlaces(DigestAlgorithm.SHA_256, ByteBuffer.allocate(9), new int[2]))
                .hasMessageContaining("direct");
    }
}
