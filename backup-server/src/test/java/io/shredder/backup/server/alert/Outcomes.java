// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.alert;

import io.shredder.backup.bytes.SealedBytes;
import io.shredder.backup.keepers.KeeperState;
import io.shredder.backup.keepers.KeepersState;
import io.shredder.backup.seal.Remarks;
import io.shredder.backup.server.backup.BackupReport;
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
final class Outcomes {

    private Outcomes() {}

    /** A backup that brought so many new bytes. */
    static ImageOutcome succeeded(String image, long imageBytes, long newBytes, long storedBytes) {
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
                new Remarks(List.of(), Optional.empty(), List.of(), Optional.empty()));
        return new ImageOutcome(image, Optional.of(report), Optional.empty(), Duration.ofSeconds(1));
    }

    /** A store with one keeper. */
    static KeepersState keepers(KeeperState.Condition condition, long damaged, boolean writable) {
        KeeperState keeper = new KeeperState(condition, "", "", Optional.empty(), 0, damaged, 0, 0);
        return new KeepersState(1, 0, 1, writable, true, 0, 0, 0, List.of(keeper));
    }
}
