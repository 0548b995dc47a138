// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ByteSizeTest {

    @Test
    void sizesAreBytesOrPowersOf1024() {
        assertThat(ByteSize.parse("1").bytes()).isEqualTo(1);
        assertThat(ByteSize.parse("64k").bytes()).isEqualTo(65_536);
        assertThat(ByteSize.parse("2M").bytes()).isEqualTo(2 << 20);
        assertThat(ByteSize.parse("1g").bytes()).isEqualTo(1 << 30);
        assertThat(ByteSize.parse("8388607t").bytes()).isEqualTo(8_388_607L << 40);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0", "k", "-1", "1.5m", "64kb", "1p", "9999999999999"})
    void otherSizesAreRefusedByName(String text) {
        assertThatThrownBy(() -> ByteSize.parse(text))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + text + "' is not a size");
    }

    @Test
    void sizesBeyond64BitsAreRefused() {
        assertThatThrownBy(() -> ByteSize.parse("8388608t"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("'8388608t' is too large a size");
    }
}
