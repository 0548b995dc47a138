// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.backup;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.region.ChunkRef;
import io.shredder.backup.seal.ChunkIdentity;
import io.shredder.backup.seal.Keys;
import io.shredder.backup.seal.Pointer;
import io.shredder.backup.server.cache.CachedChunk;
import io.shredder.backup.server.cache.Pieces;
import io.shredder.backup.server.compare.KeptPart;
import io.shredder.backup.snapshot.ListPage;
import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import io.shredder.engine.TagList;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ReducedChunkTest {

    private static final long OFFSET = 1_000_003;

    private final ChunkIdentity identities = new ChunkIdentity(Keys.counted(), DigestAlgorithm.BLAKE3);
    private final Map<Fingerprint, byte[]> stored = new HashMap<>();
    private final Random random = new Random(seed());

    private static long seed() {
        long seed = Long.getLong("shredder.seed", System.nanoTime());
        System.out.println("seed " + seed + " (again with -Dshredder.seed=" + seed + ")");
        return seed;
    }

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    private ChunkRef store(byte[] bytes) throws IOException {
        ChunkRef ref = new ChunkRef(bytes.length, identities.ofData(ByteBuffer.wrap(bytes)));
        stored.put(ref.fingerprint(), bytes);
        return ref;
    }

    private static CachedChunk cached(ChunkRef ref, List<Pointer> pointers) {
        int count = Pieces.count(ref.length(), Pieces.BYTES);
        Pieces pieces = new Pieces(Pieces.BYTES, TagList.read(ByteBuffer.allocate(count * TagList.TAG_BYTES), count));
        return new CachedChunk(ref, pointers, pieces);
    }

    /** The old chunk, kept as it is or made of parts of two longer ones. */
    private CachedChunk old(byte[] bytes) throws IOException {
        ChunkRef ref = new ChunkRef(bytes.length, identities.ofData(ByteBuffer.wrap(bytes)));
        if (random.nextBoolean()) {
            return cached(store(bytes), List.of(Pointer.to(ref)));
        }
        int cut = 1 + random.nextInt(bytes.length - 1);
        ChunkRef front = store(join(bytes(7), Arrays.copyOf(bytes, cut)));
        ChunkRef back = store(join(Arrays.copyOfRange(bytes, cut, bytes.length), bytes(5)));
        return cached(ref, List.of(new Pointer(front, 7, cut), new Pointer(back, 0, bytes.length - cut)));
    }

    private static byte[] join(byte[] first, byte[] second) {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }

    private byte[] read(List<Pointer> pointers) {
        byte[] read = new byte[0];
        for (Pointer pointer : pointers) {
            byte[] chunk = stored.get(pointer.fingerprint());
            assertThat(chunk).hasSize(pointer.chunk().length());
            read = join(read, Arrays.copyOfRange(chunk, pointer.from(), pointer.from() + pointer.length()));
        }
        return read;
    }

    @Test
    void whateverIsKeptThePointersGiveTheChunkAgain() throws IOException {
        int reduced = 0;
        for (int i = 0; i < 300; i++) {
            byte[] before = bytes(20_000 + random.nextInt(60_000));
            byte[] now = bytes(before.length);
            CachedChunk old = old(before);
            List<KeptPart> kept = new ArrayList<>();
            for (int at = random.nextInt(9000); at < before.length; at += random.nextInt(20_000)) {
                int length = Math.min(before.length - at, 1 + random.nextInt(9000));
                System.arraycopy(before, at, now, at, length);
                kept.add(new KeptPart(OFFSET + at, old, at, length));
                at += length;
            }
            Optional<ReducedChunk> result = reduce(now, kept);
            if (result.isPresent()) {
                reduced++;
                if (result.get().remainder().isPresent()) {
                    ReducedChunk.Remainder rest = result.get().remainder().get();
                    assertThat(rest.plain().remaining()).isEqualTo(rest.ref().length());
                    store(rest.plain().array());
                }
                List<Pointer> pointers = result.get().pointers();
                assertThat(read(pointers)).isEqualTo(now);
                assertThat(pointers.stream()
                                .map(Pointer::chunk)
                                .distinct()
                                .mapToLong(ChunkRef::length)
                                .sum())
                        .isLessThan((long) ListPage.MOST_POINTED * now.length);
                assertThat(result.get().kept())
                        .isSubsetOf(pointers.stream().map(Pointer::fingerprint).toList());
            }
        }
        assertThat(reduced).isGreaterThan(200);
    }

    private Optional<ReducedChunk> reduce(byte[] now, List<KeptPart> kept) throws IOException {
        return ReducedChunk.of(ByteBuffer.wrap(now), OFFSET, kept, identities);
    }

    @Test
    void aChunkOfWhichAllIsKeptNeedsNoNewOne() throws IOException {
        byte[] before = bytes(50_000);
        Optional<ReducedChunk> all = reduce(before, List.of(new KeptPart(OFFSET, old(before), 0, 50_000)));
        assertThat(all.orElseThrow().remainder()).isEmpty();
        assertThat(read(all.get().pointers())).isEqualTo(before);
    }

    @Test
    void crumbsAndSmallPartsOfLongChunksAreNotWorthIt() throws IOException {
        byte[] before = bytes(50_000);
        CachedChunk old = old(before);
        assertThat(reduce(
                        before,
                        List.of(new KeptPart(OFFSET, old, 0, 1000), new KeptPart(OFFSET + 2000, old, 2000, 900))))
                .isEmpty();
        assertThat(reduce(before, List.of(new KeptPart(OFFSET, old, 0, 3000)))).isEmpty();
        byte[] longer = bytes(200_000);
        CachedChunk other = cached(store(longer), List.of(Pointer.to(store(longer))));
        assertThat(reduce(bytes(50_000), List.of(new KeptPart(OFFSET, other, 100_000, 40_000))))
                .isEmpty();
    }
}
