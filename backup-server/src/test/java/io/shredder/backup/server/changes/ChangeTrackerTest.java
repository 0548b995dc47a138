// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.changes;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ChangeTrackerTest {

    private static final Instant NOW = Instant.parse("2026-11-28T12:00:00Z");

    private static boolean isDue(Duration ago) {
        return ChangeTracker.isWholeDue(Optional.of(NOW.minus(ago)), NOW, Duration.ofDays(7));
    }

    @Test
    void everyByteIsReadAgainAfterTheTimeAndIfItNeverWas() {
        assertThat(isDue(Duration.ofDays(6))).isFalse();
        assertThat(isDue(Duration.ofDays(8))).isTrue();
        assertThat(ChangeTracker.isWholeDue(Optional.empty(), NOW, Duration.ofDays(7)))
                .isTrue();
    }

    @Test
    void aClockThatWasFarAheadPutsNothingOff() {
        assertThat(isDue(Duration.ofHours(-1))).isFalse();
        assertThat(isDue(Duration.ofDays(-400))).isTrue();
    }
}
