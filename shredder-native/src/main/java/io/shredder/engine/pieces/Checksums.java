// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine.pieces;

import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.zip.CRC32C;

/** Digests and checksums of what remains in a buffer, whose position stays. */
final class Checksums {

    private Checksums() {}

    static int crc(ByteBuffer bytes) {
        CRC32C crc = new CRC32C();
        crc.update(bytes.duplicate());
        return (int) crc.getValue();
    }

    static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-256", e);
        }
    }

    static byte[] sha256(ByteBuffer bytes) {
        MessageDigest digest = sha256();
        digest.update(bytes.duplicate());
        return digest.digest();
    }
}
