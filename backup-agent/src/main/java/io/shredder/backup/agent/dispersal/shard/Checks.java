// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.shard;

import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/** Checksums and digests of what remains in a buffer, whose position stays. */
public final class Checks {

    private Checks() {}

    public static int crc(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate());
        return (int) crc.getValue();
    }

    public static Fingerprint digest(ByteBuffer bytes) {
        return Fingerprint.ofData(bytes.duplicate());
    }

    public static Fingerprint digest(String text) {
        return Fingerprint.ofData(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }
}
