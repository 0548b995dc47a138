// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.keys;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.HexFormat;
import org.junit.jupiter.api.Test;

class HkdfTest {

    private static final HexFormat HEX = HexFormat.of();
    private static final byte[] SECRET = HEX.parseHex("0b".repeat(22));

    @Test
    void keysAreThoseOfTheVectorsOfRfc5869() {
        byte[] first = Hkdf.derive(
                SECRET, HEX.parseHex("000102030405060708090a0b0c"), HEX.parseHex("f0f1f2f3f4f5f6f7f8f9"), 32);
        assertThat(HEX.formatHex(first)).isEqualTo("3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf");
        byte[] third = Hkdf.derive(SECRET, new byte[0], new byte[0], 32);
        assertThat(HEX.formatHex(third)).isEqualTo("8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d");
    }

    @Test
    void aShorterKeyIsTheStartOfTheLonger() {
        byte[] whole = Hkdf.derive(SECRET, new byte[3], new byte[5], 32);
        assertThat(Hkdf.derive(SECRET, new byte[3], new byte[5], 16)).isEqualTo(java.util.Arrays.copyOf(whole, 16));
    }

    @Test
    void otherLengthsAreRefused() {
        for (int length : new int[] {-1, 0, 33}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> Hkdf.derive(SECRET, new byte[0], new byte[0], length))
                    .withMessageEndingWith("not " + length);
        }
    }
}
