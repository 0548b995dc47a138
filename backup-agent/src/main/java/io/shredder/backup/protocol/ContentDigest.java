// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.protocol;

import io.shredder.chunk.ChunkingParams;
import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.security.MessageDigest;

/**
 * SHA-256 over a snapshot's parameters and pointers, in order. Both sites compute it on their own, so neither a wrong list nor a
 * wrong order can be committed or restored unnoticed. Not safe for several threads.
 */
public final class ContentDigest {

    private final MessageDigest sha256 = DigestAlgorithm.SHA_256.newMessageDigest();
    private final ByteBuffer entry = ByteBuffer.allocate(ChunkRef.BYTES);

    /** Starts with the parameters that every pointer's chunk was cut by. */
    public ContentDigest(ChunkingParams params) {
        ByteBuffer block = ByteBuffer.allocate(ChunkingParams.ENCODED_BYTES);
        params.write(block);
        sha256.update(block.flip());
    }

    /** Takes the next pointer. */
    public void add(ChunkRef ref) {
        entry.clear();
        ref.write(entry);
        sha256.update(entry.flip());
    }

    /** The digest. The object can't be used afterwards. */
    public Fingerprint finish() {
        return Fingerprint.of(sha256.digest());
    }
}
