// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup;

import io.shredder.backup.protocol.ChunkCodec;
import io.shredder.backup.protocol.ChunkRef;
import io.shredder.backup.protocol.KeyId;
import io.shredder.backup.protocol.ListPage;
import io.shredder.backup.protocol.SealedBytes;
import io.shredder.backup.protocol.SnapshotSeal;
import io.shredder.backup.protocol.StoredChunk;
import io.shredder.backup.protocol.WireFormat;
import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import java.util.TreeSet;
import java.util.UUID;

/** Chunks and bytes for tests, the same for the same seed. */
public final class Samples {

    /** What a list may say that it is sealed with. */
    public static final SnapshotSeal SEAL = new SnapshotSeal(new KeyId(1, 2), new UUID(3, 4));

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

    /** A chunk as an agent sees one. No agent has a key, so any bytes will do as the sealed ones: here the plain ones between zeros. */
    public static StoredChunk sealed(byte[] plain) {
        ByteBuffer stored = ByteBuffer.allocate(plain.length + WireFormat.SEAL_BYTES);
        stored.put(12, plain);
        ChunkRef ref = new ChunkRef(plain.length, Fingerprint.ofData(ByteBuffer.wrap(plain)));
        Fingerprint digest = Fingerprint.ofData(stored);
        return new StoredChunk(ref, ChunkCodec.SEALED, digest, new StoredChunk.Payload(stored.array()));
    }

    /** A page of a list with these references. */
    public static ListPage page(int number, Collection<Fingerprint> references) {
        return new ListPage(
                number, List.copyOf(new TreeSet<>(references)), new SealedBytes(new byte[references.size() * 6 + 16]));
    }

    /** A page of a list with these chunks. */
    public static ListPage pageOf(int number, List<StoredChunk> chunks) {
        return page(
                number, chunks.stream().map(chunk -> chunk.ref().fingerprint()).toList());
    }

    /** Some chunks of different lengths. */
    public static List<StoredChunk> chunks(Random random, int count, int maxLength) {
        List<StoredChunk> chunks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int length = 1 + random.nextInt(maxLength);
            chunks.add(sealed(i % 2 == 0 ? randomBytes(random, length) : text(random, length)));
        }
        return chunks;
    }
}
