// SPDX-License-Identifier: Apache-2.0
package io.shredder.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class FingerprintTest {

    private static final String ABC = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    @Test
    void theFingerprintOfAbcIsThatOfFips180() {
        ByteBuffer abc = ByteBuffer.wrap("abc".getBytes(StandardCharsets.US_ASCII));
        assertThat(Fingerprint.ofData(abc)).hasToString(ABC);
        assertThat(abc.remaining()).isEqualTo(3);
    }

    @Test
    void aFingerprintIsOfTheAlgorithmThatWasAskedFor() {
        ByteBuffer nothing = ByteBuffer.allocateDirect(0);
        assertThat(Fingerprint.ofData(DigestAlgorithm.BLAKE3, nothing))
                .hasToString("af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262");
        assertThat(Fingerprint.ofData(DigestAlgorithm.SHA_256, nothing)).isEqualTo(Fingerprint.ofData(nothing));
    }

    @Test
    void hexAndBytesRoundTripInAnyByteOrder() {
        Fingerprint fingerprint = Fingerprint.parseHex(ABC);
        assertThat(Fingerprint.of(fingerprint.toBytes())).isEqualTo(fingerprint).hasSameHashCodeAs(fingerprint);
        ByteBuffer little = ByteBuffer.allocate(40).order(ByteOrder.LITTLE_ENDIAN);
        fingerprint.write(little.position(3));
        assertThat(little.position()).isEqualTo(35);
        assertThat(Fingerprint.read(little.position(3))).isEqualTo(fingerprint);
    }

    @Test
    void orderIsThatOfUnsignedBytes() {
        Fingerprint low = Fingerprint.parseHex("7f" + "00".repeat(31));
        Fingerprint high = Fingerprint.parseHex("80" + "00".repeat(31));
        assertThat(low).isLessThan(high);
        assertThat(Fingerprint.parseHex("80" + "00".repeat(30) + "01")).isGreaterThan(high);
    }

    @Test
    void otherLengthsAreRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> Fingerprint.of(new byte[31]));
        assertThatIllegalArgumentException().isThrownBy(() -> Fingerprint.parseHex("abcd"));
    }
}
