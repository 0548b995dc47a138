// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.live;

import io.shredder.backup.Samples;
import io.shredder.backup.bytes.SealedBytes;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.time.Instant;
import java.util.Random;

/** What tests of live restores share. */
final class LiveTester {

    private LiveTester() {}

    /** A snapshot of these bytes; nothing seals it. */
    static SnapshotInfo snapshot(byte[] image, long id) {
        return new SnapshotInfo(
                id,
                new SnapshotName("vm"),
                Instant.EPOCH,
                image.length,
                1,
                Samples.SEAL,
                new SealedBytes(new byte[0]),
                Fingerprint.ofData(ByteBuffer.wrap(image)));
    }

    /** An image of holes and data, of any length. */
    static byte[] image(Random random, int mostBytes) {
        byte[] bytes = new byte[mostBytes - random.nextInt(9_000)];
        for (int at = 0; at < bytes.length; ) {
            byte[] piece = new byte[Math.min(bytes.length - at, 1 + random.nextInt(60_000))];
            if (random.nextInt(3) > 0) {
                random.nextBytes(piece);
            }
            System.arraycopy(piece, 0, bytes, at, piece.length);
            at += piece.length;
        }
        return bytes;
    }
}
