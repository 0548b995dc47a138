// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ProgressLineTest {

    @Test
    void theProgressLineShowsRateAndRemainingTime() {
        assertThat(ProgressLine.text("read", 4_000_000_000L, 1_000_000_000L, 2_000_000_000L))
                .isEqualTo("read 1.0 GB, 500 MB/s, 25 %, 0:06 left  ");
        assertThat(ProgressLine.text("verified", 0, 500, 1)).startsWith("verified 500 B, ");
    }
}
