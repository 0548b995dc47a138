// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.scan.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.OptionalDouble;
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

    @Test
    void theLastLineHasTheRateOfTheWholeAndWhatItsTasksTook() {
        assertThat(ScanProgress.rate(5_000_000_000L, 20, OptionalDouble.of(31.25)))
                .isEqualTo("scanned 5000 MB in 20.0 s, 250.0 MB/s, 31.3 CPU seconds of tasks");
        assertThat(ScanProgress.rate(5_000_000_000L, 20, OptionalDouble.empty()))
                .endsWith("250.0 MB/s");
    }

    @Test
    void whatATaskSaidOfItsFailureHasNoStack() {
        assertThat(JobFailure.message("\nError: java.io.IOException: no device\n\tat io.shredder.A.b(A.java:1)\n"))
                .isEqualTo("no device");
        assertThat(JobFailure.message("Container killed on request.")).isEqualTo("Container killed on request.");
    }
}
