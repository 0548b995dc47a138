// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.seal;

import io.shredder.backup.region.BadChunkException;
import io.shredder.backup.region.ChunkRef;
import io.shredder.backup.region.StoredRegion;
import io.shredder.chunk.DigestAlgorithm;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/** Keys and chunks for tests. */
public final class Keys {

    public static final SecureRandom RANDOM = new SecureRandom();

    private Keys() {}

    /** A seed that the test prints if it fails, unless one is given by -Dseed=N. */
    public static Random seeded() {
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

    /** The plain bytes of all chunks of a region, one behind the other. */
    static byte[] opened(RegionOpener opener, StoredRegion region) throws BadChunkException, IOException {
        return opened(opener, region.chunks(), List.of(region));
    }

    static byte[] opened(RegionOpener opener, List<ChunkRef> wanted, List<StoredRegion> regions)
            throws BadChunkException, IOException {
        ByteBuffer plain = ByteBuffer.allocateDirect((int) StoredRegion.plainBytes(wanted));
        opener.open(wanted, regions, plain);
        byte[] bytes = new byte[plain.remaining()];
        plain.get(bytes);
        return bytes;
    }

    /** Bytes as a sealer takes them. */
    static ByteBuffer direct(byte... bytes) {
        return ByteBuffer.allocateDirect(bytes.length).put(bytes).flip();
    }

    /** Chunks sealed together, or one by itself. */
    static StoredRegion sealed(RepositoryKey key, byte[]... plains) throws IOException {
        try (RegionSealer sealer = new RegionSealer(key, RANDOM)) {
            return sealed(sealer, key, RegionSealer.Effort.QUICK, List.of(plains));
        }
    }

    static StoredRegion sealed(RegionSealer sealer, RepositoryKey key, RegionSealer.Effort effort, List<byte[]> plains)
            throws IOException {
        return sealed(sealer, new ChunkIdentity(key, DigestAlgorithm.BLAKE3), effort, plains);
    }

    static StoredRegion sealed(
            RegionSealer sealer, ChunkIdentity identities, RegionSealer.Effort effort, List<byte[]> plains)
            throws IOException {
        List<ChunkRef> chunks = new ArrayList<>();
        ByteBuffer all = ByteBuffer.allocateDirect(
                plains.stream().mapToInt(plain -> plain.length).sum());
        for (byte[] plain : plains) {
            chunks.add(new ChunkRef(plain.length, identities.ofData(ByteBuffer.wrap(plain))));
            all.put(plain);
        }
        return sealer.seal(chunks, all.flip(), effort);
    }
}
