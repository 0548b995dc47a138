// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.alert;

import io.shredder.backup.bytes.SealedBytes;
import io.shredder.backup.keepers.KeeperState;
import io.shredder.backup.keepers.KeepersState;
import io.shredder.backup.seal.Remarks;
import io.shredder.backup.server.backup.BackupReport;
import io.shredder.backup.server.backup.ImageReading;
import io.shredder.backup.server.backup.ReadReason;
import io.shredder.backup.server.job.ImageOutcome;
import io.shredder.backup.snapshot.KeyId;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.snapshot.SnapshotSeal;
import io.shredder.chunk.Fingerprint;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;

/** What jobs say of themselves. */
public final class Outcomes {

    private Outcomes() {}

    /** A backup that brought so many new bytes. */
    public static ImageOutcome succeeded(String image, long imageBytes, long newBytes, long storedBytes) {
        return succeeded(image, imageBytes, newBytes, storedBytes, ImageReading.untracked(imageBytes));
    }

    /** A backup of an image whose changes are tracked. */
    static ImageOutcome read(String image, ReadReason reason, Optional<String> untruth) {
        ImageReading reading =
                new ImageReading(1000, reason, Optional.of(10L), Optional.empty(), untruth, Optional.of(Instant.EPOCH));
        return succeeded(image, 1_000_000, 1000, 500, reading);
    }

    private static ImageOutcome succeeded(
            String image, long imageBytes, long newBytes, long storedBytes, ImageReading reading) {
        SnapshotSeal seal = new SnapshotSeal(new KeyId(1, 2), new UUID(1, 2));
        SnapshotInfo snapshot = new SnapshotInfo(
                1,
                new SnapshotName(image),
                Instant.EPOCH,
                imageBytes,
                1,
                seal,
                new SealedBytes(new byte[0]),
                Fingerprint.of(new byte[Fingerprint.BYTES]));
        BackupReport report = new BackupReport(
                snapshot,
                1,
                newBytes,
                storedBytes,
                storedBytes,
                100,
                1,
                0,
                Duration.ofSeconds(1),
                "cpu",
                Map.of(),
                List.of(),
                new Remarks(List.of(), Optional.empty(), List.of(), Optional.empty()),
                reading);
        return new ImageOutcome(image, Optional.of(report), Optional.empty(), Duration.ofSeconds(1));
    }

    /** A store with one keeper. */
    public static KeepersState keepers(KeeperState.Condition condition, long damaged, boolean writable) {
        KeeperState keeper = new KeeperState(condition, "", "", Optional.empty(), 0, damaged, 0, 0);
        return new KeepersState(1, 0, 1, writable, true, 0, 0, 0, List.of(keeper));
    }
}
