// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.bytes.SealedBytes;
import io.shredder.backup.snapshot.KeyId;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.snapshot.SnapshotSeal;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

class PruneCommandTest {

    private static final Instant NOW = Instant.parse("2026-11-30T12:00:00Z");

    private static SnapshotInfo snapshot(long id, String received) {
        return new SnapshotInfo(
                id,
                new SnapshotName("vm"),
                Instant.parse(received),
                1,
                1,
                new SnapshotSeal(new KeyId(1, 2), new UUID(3, 4)),
                new SealedBytes(new byte[0]),
                Fingerprint.ofData(ByteBuffer.allocate(1)));
    }

    /** By --keep-within all but one that an agent received in 2036 would be old. */
    @Test
    void nothingGoesOfASeriesWhoseNewestIsOfATimeToCome() {
        SnapshotInfo old = snapshot(6, "2026-11-30T02:00:00Z");
        assertThatThrownBy(() -> PruneCommand.checkClock(List.of(old, snapshot(7, "2036-11-30T02:00:00Z")), NOW))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("nothing is deleted")
                .hasMessageContaining("which is to come: set the clock")
                .hasMessageContaining("--id 7");
        assertThatCode(() -> PruneCommand.checkClock(List.of(old, snapshot(7, "2026-11-30T12:59:00Z")), NOW))
                .doesNotThrowAnyException();
        assertThatCode(() -> PruneCommand.checkClock(List.of(), NOW)).doesNotThrowAnyException();
    }
}
