// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.seal;

import io.shredder.backup.protocol.ChunkRef;
import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;

/**
 * Each chunk's own AES key, so that the random nonces of one key are as few as the times that one chunk is sealed, and what is bound to its
 * ciphertext. One thread at a time.
 */
final class ChunkKeys {

    /** First byte of what is encrypted: the chunk as it is follows. */
    static final byte FORM_RAW = 0;

    /** First byte of what is encrypted: one zstd frame follows. */
    static final byte FORM_ZSTD = 1;

    private static final byte[] LABEL = "shredder chunk 2".getBytes(StandardCharsets.US_ASCII);

    private final KeyedHash hash;

    ChunkKeys(RepositoryKey key) {
        hash = new KeyedHash(key.derive("chunk sealing", RepositoryKey.BYTES));
    }

    byte[] keyOf(ChunkRef chunk) {
        return hash.of(chunk.fingerprint().toBytes());
    }

    /** Label, identity and plain length. */
    static byte[] openBytes(ChunkRef chunk) {
        ByteBuffer open = ByteBuffer.allocate(LABEL.length + Fingerprint.BYTES + Integer.BYTES);
        open.put(LABEL);
        chunk.fingerprint().write(open);
        return open.putInt(chunk.length()).array();
    }
}
