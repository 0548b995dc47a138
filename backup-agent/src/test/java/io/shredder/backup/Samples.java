// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup;

import io.shredder.backup.bytes.SealedBytes;
import io.shredder.backup.region.ChunkCodec;
import io.shredder.backup.region.ChunkRef;
import io.shredder.backup.region.RegionFormat;
import io.shredder.backup.region.StoredRegion;
import io.shredder.backup.snapshot.KeyId;
import io.shredder.backup.snapshot.ListPage;
import io.shredder.backup.snapshot.SnapshotSeal;
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

    /** The same of lists that share pages. */
    public static final SnapshotSeal SHARED = SnapshotSeal.shared(new KeyId(1, 2));

    private static final int NONCE_BYTES = 12;
    private static final int MAX_TOGETHER = 6;

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

    /** A chunk by itself as an agent sees one: {@link #region}. */
    public static StoredRegion sealed(byte[] plain) {
        return region(List.of(plain));
    }

    /** A region as an agent sees it. Without a key, any bytes pass for sealed ones: here plain ones between zeros. */
    public static StoredRegion region(List<byte[]> plain) {
        List<ChunkRef> chunks = plain.stream()
                .map(bytes -> new ChunkRef(bytes.length, Fingerprint.ofData(ByteBuffer.wrap(bytes))))
                .toList();
        int table = StoredRegion.tableBytes(chunks.size());
        int sealed = (int) StoredRegion.plainBytes(chunks) + RegionFormat.SEAL_BYTES;
        ByteBuffer stored = ByteBuffer.allocate(table + sealed);
        StoredRegion.writeTable(chunks, stored);
        stored.position(table + NONCE_BYTES);
        plain.forEach(stored::put);
        ChunkCodec codec = chunks.size() == 1 ? ChunkCodec.SEALED : ChunkCodec.SEALED_TOGETHER;
        Fingerprint digest = Fingerprint.ofData(stored.rewind());
        return new StoredRegion(chunks, codec, digest, new StoredRegion.Payload(stored.array()));
    }

    /** The chunks of these regions as one region. */
    public static StoredRegion together(List<StoredRegion> regions) {
        List<byte[]> plain = new ArrayList<>();
        for (StoredRegion region : regions) {
            region.fingerprints().forEach(chunk -> plain.add(plain(region, chunk)));
        }
        return region(plain);
    }

    /** The same chunks in the same order, so many in each region. */
    public static List<StoredRegion> inRegions(List<Integer> counts, List<StoredRegion> chunks) {
        List<StoredRegion> regions = new ArrayList<>();
        int from = 0;
        for (int count : counts) {
            regions.add(together(chunks.subList(from, from + count)));
            from += count;
        }
        return regions;
    }

    /** The same chunks in the same order, one to six in a region. */
    public static List<StoredRegion> inRegions(Random random, List<StoredRegion> chunks) {
        List<Integer> counts = new ArrayList<>();
        for (int left = chunks.size(); left > 0; left -= counts.get(counts.size() - 1)) {
            counts.add(Math.min(left, 1 + random.nextInt(MAX_TOGETHER)));
        }
        return inRegions(counts, chunks);
    }

    /** The plain bytes of a chunk in a {@link #region}. */
    public static byte[] plain(StoredRegion region, Fingerprint chunk) {
        int at = NONCE_BYTES;
        for (ChunkRef each : region.chunks()) {
            if (each.fingerprint().equals(chunk)) {
                byte[] plain = new byte[each.length()];
                region.sealed().view().get(at, plain);
                return plain;
            }
            at += each.length();
        }
        throw new AssertionError("chunk " + chunk + " is not in a region of " + region.fingerprints());
    }

    /** A page of a list with these references. */
    public static ListPage page(int number, Collection<Fingerprint> references) {
        return new ListPage(
                number, List.copyOf(new TreeSet<>(references)), new SealedBytes(new byte[references.size() * 6 + 16]));
    }

    /** A page of a list with the chunks of these regions. */
    public static ListPage pageOf(int number, List<StoredRegion> regions) {
        return page(
                number,
                regions.stream()
                        .flatMap(region -> region.fingerprints().stream())
                        .toList());
    }

    /** Some chunks of different lengths, each by itself. */
    public static List<StoredRegion> chunks(Random random, int count, int maxLength) {
        List<StoredRegion> chunks = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            int length = 1 + random.nextInt(maxLength);
            chunks.add(sealed(i % 2 == 0 ? randomBytes(random, length) : text(random, length)));
        }
        return chunks;
    }
}
