// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.seal;

import io.shredder.backup.region.ChunkRef;
import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Each region's own AES key, so that the random nonces of one key are as few as the times that the same chunks are
 * sealed together, and what is bound to its ciphertext. One thread at a time.
 */
final class RegionKeys {

    /** First byte of what is encrypted: the chunks as they are follow. */
    static final byte FORM_RAW = 0;

    /** First byte of what is encrypted: one zstd frame follows. */
    static final byte FORM_ZSTD = 1;

    private static final byte[] CHUNK_LABEL = "shredder chunk 2".getBytes(StandardCharsets.US_ASCII);
    private static final byte[] REGION_LABEL = "shredder region 1".getBytes(StandardCharsets.US_ASCII);

    private final KeyedHash hash;

    RegionKeys(RepositoryKey key) {
        hash = new KeyedHash(secret(key));
    }

    /** What each region's key is derived from. */
    static byte[] secret(RepositoryKey key) {
        return key.derive("chunk sealing", RepositoryKey.BYTES);
    }

    /** @param openBytes of the same chunks */
    byte[] keyOf(List<ChunkRef> chunks, byte[] openBytes) {
        return hash.of(chunks.size() == 1 ? chunks.get(0).fingerprint().toBytes() : openBytes);
    }

    /** Label, and of each chunk identity and plain length. */
    static byte[] openBytes(List<ChunkRef> chunks) {
        byte[] label = chunks.size() == 1 ? CHUNK_LABEL : REGION_LABEL;
        ByteBuffer open = ByteBuffer.allocate(label.length + chunks.size() * (Fingerprint.BYTES + Integer.BYTES));
        open.put(label);
        for (ChunkRef chunk : chunks) {
            chunk.fingerprint().write(open);
            open.putInt(chunk.length());
        }
        return open.array();
    }
}
