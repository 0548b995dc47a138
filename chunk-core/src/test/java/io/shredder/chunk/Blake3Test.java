// SPDX-License-Identifier: Apache-2.0
package io.shredder.chunk;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Random;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

class Blake3Test {

    private static final Path VECTORS = Path.of("..", "testvectors", "blake3.json");

    @TestFactory
    Stream<DynamicTest> everyVectorHasItsDigest() throws IOException {
        JsonNode vectors = new ObjectMapper().readTree(VECTORS.toFile());
        assertThat(vectors).hasSizeGreaterThan(15);
        return StreamSupport.stream(vectors.spliterator(), false)
                .map(vector -> DynamicTest.dynamicTest(vector.get("length") + " bytes", () -> assertThat(hex(
                                new Blake3().digest(pattern(vector.get("length").asInt()))))
                        .isEqualTo(vector.get("digest").asText())));
    }

    @Test
    void howTheInputIsSplitMakesNoDifference() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        for (int round = 0; round < 100; round++) {
            byte[] data = new byte[random.nextInt(20_000)];
            random.nextBytes(data);
            assertThat(hex(digestInPieces(data, random))).isEqualTo(hex(new Blake3().digest(data)));
        }
    }

    private static byte[] digestInPieces(byte[] data, Random random) {
        MessageDigest digest = DigestAlgorithm.BLAKE3.newMessageDigest();
        for (int from = 0; from < data.length; ) {
            int to = Math.min(data.length, from + 1 + random.nextInt(1 << random.nextInt(13)));
            if (to == from + 1) {
                digest.update(data[from]);
            } else if (random.nextBoolean()) {
                digest.update(data, from, to - from);
            } else {
                digest.update(ByteBuffer.allocateDirect(to - from)
                        .put(data, from, to - from)
                        .flip());
            }
            from = to;
        }
        return digest.digest();
    }

    @Test
    void aDigestStartsAfreshAfterResetAndAfterItsResult() {
        MessageDigest digest = DigestAlgorithm.BLAKE3.newMessageDigest();
        String expected = hex(digest.digest(pattern(5_000)));
        digest.update(pattern(3_333));
        digest.reset();
        assertThat(hex(digest.digest(pattern(5_000)))).isEqualTo(expected);
        assertThat(hex(digest.digest(pattern(5_000)))).isEqualTo(expected);
    }

    @Test
    void theAlgorithmNamesItself() {
        MessageDigest digest = DigestAlgorithm.BLAKE3.newMessageDigest();
        assertThat(digest.getAlgorithm()).isEqualTo("BLAKE3");
        assertThat(digest.getDigestLength()).isEqualTo(Fingerprint.BYTES);
    }

    @Test
    void aFlippedBitAnywhereChangesTheDigest() {
        byte[] data = pattern(3_000);
        String whole = hex(new Blake3().digest(data));
        for (int at = 0; at < data.length; at += 97) {
            byte[] flipped = Arrays.copyOf(data, data.length);
            flipped[at] ^= 4;
            assertThat(hex(new Blake3().digest(flipped))).isNotEqualTo(whole);
        }
    }

    private static byte[] pattern(int length) {
        byte[] data = new byte[length];
        for (int i = 0; i < length; i++) {
            data[i] = (byte) (i % 251);
        }
        return data;
    }

    private static String hex(byte[] digest) {
        return HexFormat.of().formatHex(digest);
    }
}
