// SPDX-License-Identifier: Apache-2.0
package io.shredder.hdfs.upload;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

class UploadProgressTest {

    private static final long SECOND = 1_000_000_000L;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private final PrintStream terminal = new PrintStream(bytes, true, StandardCharsets.UTF_8);

    @Test
    void afterASecondItShowsRateAndTimeLeftOnce() {
        UploadProgress progress = new UploadProgress(terminal, true, "a", OptionalLong.of(100_000_000), 0);
        progress.showAt(1_000_000, SECOND / 2);
        assertThat(shown()).isEmpty();
        progress.showAt(10_000_000, SECOND);
        progress.showAt(11_000_000, SECOND + SECOND / 2);
        assertThat(shown()).isEqualTo("\r\033[Ka  10,000,000 bytes  10.0 MB/s  10 %  0:09 left");
    }

    @Test
    void anUnknownLengthShowsNoTimeLeft() {
        UploadProgress progress = new UploadProgress(terminal, true, "-", OptionalLong.empty(), 0);
        progress.showAt(10_000_000, 2 * SECOND);
        assertThat(shown()).endsWith("10,000,000 bytes  5.0 MB/s");
    }

    @Test
    void closingErasesTheLineAndOnlyIfThereIsOne() {
        try (UploadProgress progress = new UploadProgress(terminal, true, "a", OptionalLong.empty(), 0)) {
            progress.showAt(0, SECOND / 2);
        }
        assertThat(shown()).isEmpty();
        try (UploadProgress progress = new UploadProgress(terminal, true, "a", OptionalLong.empty(), 0)) {
            progress.showAt(5, SECOND);
        }
        assertThat(shown()).endsWith("\r\033[K");
    }

    @Test
    void nothingIsShownWhereThereIsNoTerminal() {
        long longAgo = System.nanoTime() - 10 * SECOND;
        try (UploadProgress progress = new UploadProgress(terminal, false, "a", OptionalLong.of(9), longAgo)) {
            progress.accept(5);
        }
        assertThat(shown()).isEmpty();
    }

    private String shown() {
        return bytes.toString(StandardCharsets.UTF_8);
    }
}
