// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.seal;

import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import io.shredder.engine.MemoryDigests;
import io.shredder.engine.ShredderException;
import java.nio.ByteBuffer;
import java.util.List;

/**
 * What an agent knows a chunk by: HMAC-SHA-256 of the digest of the plain bytes, under a key for digests of that
 * algorithm alone. Equal chunks have equal identities, so they are kept once; but nobody without the key can tell
 * whether the agent has a chunk of known contents. One thread at a time.
 */
public final class ChunkIdentity {

    private final DigestAlgorithm algorithm;
    private final KeyedHash hash;

    /** Identities under this key by such digests. */
    public ChunkIdentity(RepositoryKey key, DigestAlgorithm algorithm) {
        this.algorithm = algorithm;
        this.hash = new KeyedHash(secret(key, algorithm));
    }

    /** The key of identities by such digests. */
    static byte[] secret(RepositoryKey key, DigestAlgorithm algorithm) {
        return key.derive(purpose(algorithm), RepositoryKey.BYTES);
    }

    private static String purpose(DigestAlgorithm algorithm) {
        return switch (algorithm) {
            case SHA_256 -> "chunk identity";
            case BLAKE3 -> "chunk identity by BLAKE3";
        };
    }

    /** The identity of the chunk whose bytes have this digest. */
    public Fingerprint of(Fingerprint digest) {
        return Fingerprint.of(hash.of(digest.toBytes()));
    }

    /** Identities of chunks whose plain bytes lie back to back from a direct buffer's position, which stays. */
    List<Fingerprint> ofAll(ByteBuffer plain, int[] lengths) throws ShredderException {
        return MemoryDigests.of(algorithm, plain, lengths).stream()
                .map(this::of)
                .toList();
    }

    /** The identity of the chunk with the remaining bytes of {@code plain}, whose position does not change. */
    public Fingerprint ofData(ByteBuffer plain) throws ShredderException {
        return of(MemoryDigests.of(algorithm, plain));
    }
}
