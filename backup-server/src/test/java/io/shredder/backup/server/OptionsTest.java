// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class OptionsTest {

    @Test
    void aSnapshotIsNamedWithOrWithoutItsId() {
        assertThat(SnapshotChoice.parse("vm").id()).isEmpty();
        assertThat(SnapshotChoice.parse("vm@latest").id()).isEmpty();
        assertThat(SnapshotChoice.parse("vm@12").id()).isEqualTo(OptionalLong.of(12));
        assertThat(SnapshotChoice.parse("vm-1.a_b").name().value()).isEqualTo("vm-1.a_b");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "@", "vm@", "vm@-1", "../etc", "a b", "-x", "vm@1@2"})
    void otherSnapshotNamesAreRefused(String text) {
        assertThatThrownBy(() -> SnapshotChoice.parse(text)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void theProgressLineShowsRateAndRemainingTime() {
        assertThat(ProgressLine.text("read", 4_000_000_000L, 1_000_000_000L, 2_000_000_000L))
                .isEqualTo("read 1.0 GB, 500 MB/s, 25 %, 0:06 left  ");
        assertThat(ProgressLine.text("verified", 0, 500, 1)).startsWith("verified 500 B, ");
    }

    @Test
    void sizesAreShownShortly() {
        assertThat(SnapshotText.size(999)).isEqualTo("999 B");
        assertThat(SnapshotText.size(999_999)).isEqualTo("1.0 MB");
        assertThat(SnapshotText.size(1_234_567_890)).isEqualTo("1.2 GB");
    }
}
