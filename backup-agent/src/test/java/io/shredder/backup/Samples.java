// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup;

import io.shredder.backup.protocol.ChunkSealer;
import io.shredder.backup.protocol.StoredChunk;
import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Chunks and bytes for tests, the same for the same seed. */
public final class Samples {

    private Samples() {}

    /** A seed that the test prints if it fails, unless one is given by -Dseed=N. */
    public static long seed() {
        long seed = Long.getLong("seed", System.nanoTime());
        System.out.println("seed " + seed + " (again with -Dseed=" + seed + ")");
        return seed;
    }

    public static byte[] randomBytes(Random random, int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    /** Bytes that compress. */
    public static byte[] text(Random random, int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) ("the quick brown fox ".charAt(random.nextInt(8)));
        }
        return bytes;
    }

    public static StoredChunk sealed(byte[] plain) {
        try (ChunkSealer sealer = new ChunkSealer()) {
            return sealer.seal(Fingerprint.ofData(ByteBuffer.wrap(plain)), plain);
        }
    }

    /** Some chunks, every other one compressible. */
    public static List<StoredChunk> chunks(Random random, int count, int maxLength) {
        List<StoredChunk> chunks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int length = 1 + random.nextInt(maxLength);
            chunks.add(sealed(i % 2 == 0 ? randomBytes(random, length) : text(random, length)));
        }
        return chunks;
    }
}
