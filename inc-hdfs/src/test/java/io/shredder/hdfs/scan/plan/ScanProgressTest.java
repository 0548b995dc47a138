// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan.plan;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ScanProgressTest {

    @Test
    void theLineHasTheRateAndTheTimeThatIsLeft() {
        assertThat(ScanProgress.line(4_000_000_000L, 0.25, 10))
                .isEqualTo("scanned 1000 of 4000 MB, 100.0 MB/s, 0:30 left");
        assertThat(ScanProgress.line(4_000_000_000L, 0.01, 60)).endsWith(", 99:00 left");
        assertThat(ScanProgress.line(4_000_000_000L, 0, 10)).endsWith("nothing is done yet");
        assertThat(ScanProgress.line(4_000_000_000L, 1, 10)).endsWith("0:00 left");
    }
}
