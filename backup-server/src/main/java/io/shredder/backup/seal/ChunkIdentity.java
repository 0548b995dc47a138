// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.seal;

import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;

/**
 * What an agent knows a chunk by: HMAC-SHA-256, under a key of its own, of the SHA-256 of the plain bytes. Equal chunks have equal
 * identities, so they are kept once; but nobody without the key can tell whether the agent has a chunk of known contents. One thread at a time.
 */
public final class ChunkIdentity {

    private final KeyedHash hash;

    /** Identities under this key. */
    public ChunkIdentity(RepositoryKey key) {
        hash = new KeyedHash(key.derive("chunk identity", RepositoryKey.BYTES));
    }

    /** The identity of the chunk whose bytes have this SHA-256. */
    public Fingerprint of(Fingerprint sha256) {
        return Fingerprint.of(hash.of(sha256.toBytes()));
    }

    /** The identity of the chunk with the remaining bytes of {@code plain}, whose position does not change. */
    public Fingerprint ofData(ByteBuffer plain) {
        return of(Fingerprint.ofData(plain));
    }
}
