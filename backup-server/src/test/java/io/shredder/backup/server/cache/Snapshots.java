// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cache;

import io.shredder.backup.bytes.SealedBytes;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.snapshot.SnapshotSeal;
import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.UUID;

/** Snapshots as an agent tells of them. */
public final class Snapshots {

    /** A series. */
    public static final SnapshotName NAME = new SnapshotName("vm");

    private Snapshots() {}

    /** One of the series, whose content digest is that of a text. */
    public static SnapshotInfo of(RepositoryKey key, String content) {
        Fingerprint digest = Fingerprint.ofData(ByteBuffer.wrap(content.getBytes(StandardCharsets.US_ASCII)));
        SnapshotSeal seal = new SnapshotSeal(key.id(), new UUID(1, 2));
        return new SnapshotInfo(7, NAME, Instant.EPOCH, 0, 0, seal, new SealedBytes(new byte[0]), digest);
    }
}
