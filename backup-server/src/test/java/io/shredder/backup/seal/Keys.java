// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.seal;

import io.shredder.backup.protocol.BadChunkException;
import io.shredder.backup.protocol.ChunkRef;
import io.shredder.backup.protocol.StoredChunk;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.List;
import java.util.Random;

/** Keys and chunks for tests. */
public final class Keys {

    static final SecureRandom RANDOM = new SecureRandom();

    private Keys() {}

    /** A seed that the test prints if it fails, unless one is given by -Dseed=N. */
    static Random seeded() {
        long seed = Long.getLong("seed", System.nanoTime());
        System.out.println("seed " + seed + " (again with -Dseed=" + seed + ")");
        return new Random(seed);
    }

    /** The key whose secret is the bytes 0 to 31. */
    public static RepositoryKey counted() {
        byte[] secret = new byte[RepositoryKey.BYTES];
        for (int i = 0; i < secret.length; i++) {
            secret[i] = (byte) i;
        }
        return RepositoryKey.of(secret);
    }

    static byte[] bytes(Random random, int length, boolean compressible) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) (compressible ? random.nextInt(3) : random.nextInt());
        }
        return bytes;
    }

    static byte[] opened(ChunkOpener opener, StoredChunk chunk) throws BadChunkException, IOException {
        ByteBuffer plain = ByteBuffer.allocateDirect(chunk.ref().length());
        opener.open(List.of(chunk), plain);
        byte[] bytes = new byte[plain.remaining()];
        plain.get(bytes);
        return bytes;
    }

    static StoredChunk sealed(RepositoryKey key, byte[] plain) {
        try (ChunkSealer sealer = new ChunkSealer(key, RANDOM)) {
            return sealer.seal(
                    new ChunkRef(plain.length, new ChunkIdentity(key).ofData(ByteBuffer.wrap(plain))),
                    ByteBuffer.wrap(plain),
                    ChunkSealer.Effort.QUICK);
        }
    }
}
