// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal;

import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.zip.CRC32C;

/** Checksums and digests of what remains in a buffer, whose position stays. */
final class Checks {

    private Checks() {}

    static int crc(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate());
        return (int) crc.getValue();
    }

    static Fingerprint digest(ByteBuffer bytes) {
        return Fingerprint.ofData(bytes.duplicate());
    }

    static Fingerprint digest(String text) {
        return Fingerprint.ofData(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }
}
