// SPDX-License-Identifier: Apache-2.0
package io.shredder.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ChunkingParamsTest {

    @Test
    void anAverageAloneGivesAQuarterAndFourTimesOfIt() {
        ChunkingParams params = ChunkingParams.ofAverage(64 << 10);
        assertThat(params.minBytes()).isEqualTo(16 << 10);
        assertThat(params.maxBytes()).isEqualTo(256 << 10);
        assertThat(params.hasSegments()).isFalse();
    }

    @Test
    void everyBrokenRuleIsNamedInOneLine() {
        assertThatThrownBy(() -> ChunkingParams.builder()
                        .averageBytes(1024)
                        .minBytes(2000)
                        .maxBytes(1000)
                        .segments(512, 1, 1024)
                        .build())
                .isInstanceOf(InvalidParamsException.class)
                .hasMessageContaining("minimum 2000 is above the average 1024")
                .hasMessageContaining("maximum 1000 is below the average 1024")
                .hasMessageContaining("segment average 2^9")
                .message()
                .doesNotContain("\n");
    }

    @Test
    void aLengthBeyondAnIntIsNamedAsItWasGiven() {
        assertThatThrownBy(() -> ChunkingParams.builder()
                        .maxBytes(3L << 30)
                        .minBytes(1L << 33)
                        .build())
                .isInstanceOf(InvalidParamsException.class)
                .hasMessageContaining("maximum 3221225472 is above 1073741824")
                .hasMessageContaining("minimum 8589934592 is above the average 65536");
        assertThatThrownBy(() -> ChunkingParams.ofAverage(1L << 40)).hasMessageContaining("average 2^40");
    }

    @Test
    void anAverageThatIsNoPowerOfTwoIsRefusedWithOneThatIs() {
        assertThatThrownBy(() -> ChunkingParams.ofAverage(100_000))
                .isInstanceOf(InvalidParamsException.class)
                .hasMessageContaining("100000")
                .hasMessageContaining("65536");
    }

    @Test
    void lengthsBeyondAnIntegerAreRefusedNotWrapped() {
        assertThatThrownBy(() -> ChunkingParams.builder()
                        .averageBytes(1 << 20)
                        .maxBytes((1L << 32) + (2 << 20))
                        .build())
                .isInstanceOf(InvalidParamsException.class)
                .hasMessageContaining("maximum");
    }

    @Test
    void aDigestIsFoundByItsNameAndAnUnknownOneIsRefused() {
        for (DigestAlgorithm algorithm : DigestAlgorithm.values()) {
            assertThat(DigestAlgorithm.parse(algorithm.optionName())).isEqualTo(algorithm);
            assertThat(DigestAlgorithm.fromCode(algorithm.code())).contains(algorithm);
        }
        assertThatThrownBy(() -> DigestAlgorithm.parse("md5"))
                .isInstanceOf(InvalidParamsException.class)
                .hasMessage("unknown digest 'md5': use one of sha256, blake3");
    }

    @Test
    void aMarkerThatZerosMatchIsRefused() {
        assertThatThrownBy(() -> ChunkingParams.builder().marker(0xF_0000_0000L).build())
                .isInstanceOf(InvalidParamsException.class)
                .hasMessageContaining("runs of zeros");
    }

    @Test
    void theParameterBlockReadsAsWritten() throws Exception {
        Random random = new Random(31);
        for (int i = 0; i < 100; i++) {
            ChunkingParams params = ReferenceChunkerTest.randomParams(random);
            assertThat(ChunkingParams.read(encode(params), "block", 0)).isEqualTo(params);
        }
    }

    @Test
    void aBlockWithAnyByteChangedIsRefusedOrGivesOtherParameters() throws Exception {
        ChunkingParams params = ChunkingParams.builder()
                .averageBytes(1 << 20)
                .segments(32 << 20, 8 << 20, 128 << 20)
                .build();
        for (int i = 0; i < ChunkingParams.ENCODED_BYTES; i++) {
            ByteBuffer block = encode(params);
            block.put(i, (byte) (block.get(i) ^ 0x41));
            try {
                assertThat(ChunkingParams.read(block, "block", 0))
                        .as("byte %d", i)
                        .isNotEqualTo(params);
            } catch (DamagedDataException e) {
                assertThat(e.offset()).isBetween(0L, (long) ChunkingParams.ENCODED_BYTES);
            }
        }
    }

    /** What each field is set to is out of its range, whatever the others are. */
    @ParameterizedTest
    @CsvSource({
        "0, 8, 2, polynomial",
        "8, 2, 49, window",
        "10, 1, 31, average",
        "11, 1, 41, segment average",
        "12, 1, 9, digest",
        "13, 1, 1, reserved",
        "16, 8, 0, marker",
        "24, 8, 0, minimum",
        "32, 8, 8589934592, maximum",
        "40, 8, 0, segment minimum",
        "40, 8, -1, segment minimum",
        "48, 8, -1, segment maximum",
        "48, 8, 1, segment maximum"
    })
    void aFieldThatBreaksARuleIsNamedWithItsOffset(int at, int width, long value, String name) {
        ChunkingParams params = ChunkingParams.builder()
                .averageBytes(1 << 20)
                .segments(32 << 20, 8 << 20, 128 << 20)
                .build();
        ByteBuffer block = encode(params);
        for (int i = 0; i < width; i++) {
            block.put(at + i, (byte) (value >>> 8 * (width - 1 - i)));
        }
        assertThatThrownBy(() -> ChunkingParams.read(block, "repo", 1000))
                .isInstanceOfSatisfying(
                        DamagedDataException.class, e -> assertThat(e.offset()).isEqualTo(1000 + at))
                .hasMessageContaining(name);
    }

    @Test
    void aShortBlockIsRefusedAtItsEnd() {
        assertThatThrownBy(() -> ChunkingParams.read(ByteBuffer.allocate(55), "repo", 100))
                .isInstanceOfSatisfying(
                        DamagedDataException.class, e -> assertThat(e.offset()).isEqualTo(155));
    }

    private static ByteBuffer encode(ChunkingParams params) {
        ByteBuffer block = ByteBuffer.allocate(ChunkingParams.ENCODED_BYTES);
        params.write(block);
        return block.flip();
    }
}
