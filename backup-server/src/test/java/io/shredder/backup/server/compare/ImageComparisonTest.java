// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.compare;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.shredder.backup.pace.Pace;
import io.shredder.backup.region.ChunkRef;
import io.shredder.backup.seal.ChunkIdentity;
import io.shredder.backup.seal.Keys;
import io.shredder.backup.seal.Pointer;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.server.cache.CacheReader;
import io.shredder.backup.server.cache.CacheWriter;
import io.shredder.backup.server.cache.CachedChunk;
import io.shredder.backup.server.cache.ChunkTagging;
import io.shredder.backup.server.cache.Pieces;
import io.shredder.backup.server.cache.SnapshotCaches;
import io.shredder.backup.server.cache.Snapshots;
import io.shredder.backup.server.changes.ChangeCheck;
import io.shredder.backup.server.changes.ChangedRanges;
import io.shredder.backup.server.changes.UntrueChangesException;
import io.shredder.backup.server.source.BytesImage;
import io.shredder.backup.server.source.CutChunk;
import io.shredder.backup.server.source.Extent;
import io.shredder.backup.server.source.SharedImage;
import io.shredder.backup.server.stage.BackupTimes;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.chunk.Chunk;
import io.shredder.chunk.ChunkingParams;
import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import io.shredder.chunk.InTurn;
import io.shredder.chunk.LongTests;
import io.shredder.chunk.ReferenceChunker;
import io.shredder.engine.Backend;
import io.shredder.engine.KeyedTags;
import io.shredder.engine.Shredder;
import io.shredder.engine.ShredderOptions;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ImageComparisonTest {

    private static final int CASES = LongTests.count("shredder.image.cases", 15, 60);
    private static final int MIB = 1 << 20;

    @TempDir
    private static Path folder;

    private static Shredder engine;

    private final RepositoryKey key = Keys.counted();
    private final ChunkIdentity identities = new ChunkIdentity(key, DigestAlgorithm.BLAKE3);
    private final SnapshotCaches caches = SnapshotCaches.in(folder);
    private final SnapshotInfo last = Snapshots.of(key, "last");
    private final KeyedTags tags;
    /** The old image's chunks by their identities. */
    private final Map<Fingerprint, byte[]> remembered = new HashMap<>();

    ImageComparisonTest() throws IOException {
        tags = ChunkTagging.under(key);
    }

    @BeforeAll
    static void open() throws IOException {
        assumeTrue(KeyedTags.areFast(), "this CPU has no carry-less multiplication");
        engine = Shredder.open(ShredderOptions.of(Backend.AUTO));
    }

    @AfterAll
    static void close() {
        if (engine != null) {
            engine.close();
        }
    }

    private Pieces pieces(byte[] image, Chunk chunk) throws IOException {
        int first = Pieces.firstAt(chunk.offset());
        ByteBuffer direct = ByteBuffer.allocateDirect(chunk.length());
        direct.put(image, Math.toIntExact(chunk.offset()), chunk.length()).flip();
        return new Pieces(first, tags.of(direct, Pieces.lengths(chunk.length(), first)));
    }

    private ChunkRef ref(Chunk chunk) {
        return new ChunkRef(chunk.length(), identities.of(chunk.fingerprint()));
    }

    /** Writes the cache of an image. */
    private void remember(byte[] image, ChunkingParams params) throws IOException {
        try (CacheWriter writer = caches.write(key, Snapshots.NAME, params).orElseThrow()) {
            for (Chunk chunk : ReferenceChunker.chunk(params, image)) {
                writer.add(CachedChunk.whole(ref(chunk), pieces(image, chunk)));
                remembered.put(
                        ref(chunk).fingerprint(),
                        Arrays.copyOfRange(image, (int) chunk.offset(), (int) chunk.offset() + chunk.length()));
            }
            writer.publish(last);
        }
    }

    /** What came of a comparison. */
    private final class Found implements ChunkConsumer {
        private final byte[] image;
        private final List<ChunkRef> chunks = new ArrayList<>();
        private long at;
        private long digestedBytes;
        private long keptBytes;
        private int cutAhead;

        Found(byte[] image) {
            this.image = image;
        }

        @Override
        public void accept(List<CutChunk> some) {
            for (CutChunk chunk : some) {
                for (long copies = chunk.count(); copies > 0; copies--) {
                    digested(chunk.digest(), chunk.data());
                }
            }
        }

        private void digested(Fingerprint digest, ByteBuffer data) {
            assertThat(digest).isEqualTo(Fingerprint.ofData(DigestAlgorithm.BLAKE3, data.duplicate()));
            digestedBytes += data.remaining();
            take(new ChunkRef(data.remaining(), identities.of(digest)));
        }

        @Override
        public void changed(Fingerprint digest, ByteBuffer data, List<KeptPart> kept, Optional<Pieces> pieces)
                throws IOException {
            if (pieces.isPresent()) {
                int first = Pieces.firstAt(at);
                assertThat(pieces.get())
                        .isEqualTo(new Pieces(first, tags.of(data, Pieces.lengths(data.remaining(), first))));
                cutAhead++;
            }
            long end = at;
            for (KeptPart part : kept) {
                assertThat(part.offset()).isGreaterThanOrEqualTo(end);
                end = part.offset() + part.length();
                ByteBuffer now = data.slice((int) (part.offset() - at), part.length());
                Pointer pointer = part.pointers().get(0);
                byte[] before = remembered.get(pointer.fingerprint());
                assertThat(now).isEqualTo(ByteBuffer.wrap(before, pointer.from(), pointer.length()));
                keptBytes += part.length();
            }
            digested(digest, data);
        }

        @Override
        public void unchanged(CachedChunk chunk) {
            byte[] now = Arrays.copyOfRange(image, (int) at, (int) at + chunk.length());
            assertThat(remembered.get(chunk.ref().fingerprint())).isEqualTo(now);
            take(chunk.ref());
        }

        private void take(ChunkRef chunk) {
            chunks.add(chunk);
            at += chunk.length();
        }
    }

    private Found compare(byte[] image, List<Extent> extents, ChunkingParams params, ImageComparison comparison)
            throws IOException {
        return compare(new BytesImage(image, extents, 128 << 10), image, params, comparison, ChangeCheck.untold());
    }

    private Found compare(
            BytesImage source, byte[] image, ChunkingParams params, ImageComparison comparison, ChangeCheck check)
            throws IOException {
        Found found = new Found(image);
        try (CacheReader reader = caches.open(key, last, params).orElseThrow()) {
            comparison.chunk(new SharedImage(source), reader, check, found);
        }
        assertThat(found.chunks)
                .isEqualTo(ReferenceChunker.chunk(params, image).stream()
                        .map(this::ref)
                        .toList());
        return found;
    }

    private ImageComparison comparison(ChunkingParams params) {
        return new ImageComparison(engine, params, tags, Pace.unlimited(), new ImageThreads(2, 2), new BackupTimes());
    }

    @Test
    void whateverChangedTheChunksAreThoseOfTheWholeImage() throws IOException {
        long seed = Long.getLong("shredder.seed", System.nanoTime());
        System.out.println("seed " + seed + " (again with -Dshredder.seed=" + seed + ")");
        for (int i = 0; i < CASES; i++) {
            Random random = new Random(seed + i);
            ChunkingParams params = params(random);
            byte[] old = RandomImages.layOut(random);
            remember(old, params);
            byte[] changed = old;
            for (int edits = random.nextInt(5); edits > 0; edits--) {
                changed = RandomImages.edit(random, changed);
            }
            long longStretch = 4L * params.maxBytes();
            ImageComparison comparison = random.nextBoolean()
                    ? comparison(params)
                    : new ImageComparison(
                            engine,
                            params,
                            tags,
                            Pace.unlimited(),
                            new ImageThreads(1 + random.nextInt(5), 1 + random.nextInt(3)),
                            new BackupTimes(),
                            random.nextInt(100_000),
                            longStretch);
            List<Extent> extents =
                    random.nextBoolean() ? RandomImages.all(changed) : RandomImages.withoutHoles(changed);
            compare(changed, extents, params, comparison);
            ChangedRanges told = told(old, changed, 1 << (9 + random.nextInt(8)), random);
            for (ChangeCheck check : List.of(ChangeCheck.trusting(told), ChangeCheck.comparing(told))) {
                compare(new BytesImage(changed, extents, 128 << 10), changed, params, comparison, check);
                assertThat(check.untruth()).isEmpty();
            }
        }
    }

    /** Where two images differ, in whole blocks, as a bitmap has it, and some blocks more. */
    private static ChangedRanges told(byte[] old, byte[] now, int blockBytes, Random random) {
        List<Extent> told = new ArrayList<>();
        for (int at = 0; at < Math.min(old.length, now.length); at += blockBytes) {
            int oldEnd = Math.min(at + blockBytes, old.length);
            int end = Math.min(at + blockBytes, now.length);
            if (random.nextInt(50) == 0 || !Arrays.equals(old, at, oldEnd, now, at, end)) {
                told.add(new Extent(at, blockBytes));
            }
        }
        return ChangedRanges.of(told);
    }

    @Test
    void ofAnImageWhoseChangesAreToldNothingElseIsRead() throws IOException {
        ChunkingParams params = ChunkingParams.builder().build().with(DigestAlgorithm.BLAKE3);
        Random random = new Random(6);
        byte[] image = RandomImages.random(random, 64 * MIB);
        remember(image, params);
        byte[] changed = image.clone();
        int run = 512 << 10;
        System.arraycopy(RandomImages.random(random, run), 0, changed, 20 * MIB, run);
        changed[50 * MIB]++;
        ChangedRanges told = told(image, changed, 16 << 10, new Random(6) {
            @Override
            public int nextInt(int bound) {
                return 1; // No block more.
            }
        });
        assertThat(told.bytes()).isEqualTo(run + (16 << 10));
        BytesImage source = new BytesImage(changed, RandomImages.all(changed), 128 << 10);
        ChangeCheck check = ChangeCheck.trusting(told);
        Found found = compare(source, changed, params, comparison(params), check);
        assertThat(source.bytesRead()).isBetween((long) run, 2L * MIB);
        assertThat(found.digestedBytes).isBetween((long) run, 2L * MIB);
    }

    @Test
    void aChangeAtTheEdgeOfAHoleMovesTheCutsInItAndTheHoleIsNotRead() throws IOException {
        ChunkingParams params = ChunkingParams.builder().build().with(DigestAlgorithm.BLAKE3);
        Random random = new Random(8);
        byte[] image = new byte[100 * MIB];
        System.arraycopy(RandomImages.random(random, 5 * MIB), 0, image, 0, 5 * MIB);
        System.arraycopy(RandomImages.random(random, 5 * MIB), 0, image, 95 * MIB, 5 * MIB);
        remember(image, params);
        byte[] changed = image.clone();
        int run = 128 << 10;
        System.arraycopy(RandomImages.random(random, run), 0, changed, 5 * MIB, run);
        List<Extent> data = List.of(new Extent(0, 5 * MIB + run), new Extent(95 * MIB, 5 * MIB));
        BytesImage source = new BytesImage(changed, data, 128 << 10);
        ChangeCheck check = ChangeCheck.trusting(ChangedRanges.of(List.of(new Extent(5 * MIB, run))));
        long scannedBefore = engine.figures().bytesScanned();
        compare(source, changed, params, comparison(params), check);
        assertThat(source.bytesRead()).isBetween((long) run, 2L * MIB);
        assertThat(engine.figures().bytesScanned() - scannedBefore).isLessThan(20L * MIB);
    }

    @Test
    void aChangeThatIsNotToldIsSeenWhenEverythingIsReadOrWhatIsBesideIt() throws IOException {
        ChunkingParams params = ChunkingParams.builder().build().with(DigestAlgorithm.BLAKE3);
        byte[] image = RandomImages.random(new Random(7), 20 * MIB);
        remember(image, params);
        Chunk chunk = ReferenceChunker.chunk(params, image).get(50);
        int page = (int) ((chunk.offset() / Pieces.BYTES + 1) * Pieces.BYTES);
        byte[] changed = image.clone();
        changed[page]++;
        changed[page + Pieces.BYTES]++;
        BytesImage source = new BytesImage(changed, RandomImages.all(changed), 128 << 10);
        ChangeCheck comparing = ChangeCheck.comparing(ChangedRanges.of(List.of()));
        compare(source, changed, params, comparison(params), comparing);
        assertThat(comparing.untruth())
                .hasValueSatisfying(text -> assertThat(text).contains("at least 8192 bytes", " " + page));

        ChangeCheck half = ChangeCheck.trusting(ChangedRanges.of(List.of(new Extent(page, Pieces.BYTES))));
        assertThatThrownBy(() -> compare(source, changed, params, comparison(params), half))
                .isInstanceOf(UntrueChangesException.class)
                .hasMessageContaining("told to be unchanged");

        Found wrong = new Found(image);
        try (CacheReader reader = caches.open(key, last, params).orElseThrow()) {
            ChangeCheck nothing = ChangeCheck.trusting(ChangedRanges.of(List.of()));
            comparison(params).chunk(new SharedImage(source), reader, nothing, wrong);
        }
        assertThat(wrong.chunks)
                .as("the old image: whoever says that nothing changed is believed until everything is read")
                .isEqualTo(ReferenceChunker.chunk(params, image).stream()
                        .map(this::ref)
                        .toList());
    }

    private static ChunkingParams params(Random random) {
        long average = 64L << random.nextInt(9);
        return ChunkingParams.builder()
                .digest(DigestAlgorithm.BLAKE3)
                .averageBytes(average)
                .minBytes(48 + random.nextInt((int) average - 47))
                .maxBytes(average * (1 + random.nextInt(8)))
                .build();
    }

    @Test
    void ofAnUnchangedImageNothingIsDigestedAndHolesAreNotRead() throws IOException {
        ChunkingParams params = ChunkingParams.builder().build().with(DigestAlgorithm.BLAKE3);
        byte[] image = new byte[40 * MIB];
        System.arraycopy(RandomImages.random(new Random(1), 5 * MIB), 0, image, 10 * MIB, 5 * MIB);
        remember(image, params);
        BytesImage source = new BytesImage(image, RandomImages.withoutHoles(image), MIB);
        Found found = new Found(image);
        try (CacheReader reader = caches.open(key, last, params).orElseThrow()) {
            comparison(params).chunk(new SharedImage(source), reader, ChangeCheck.untold(), found);
        }
        assertThat(found.chunks).hasSize(ReferenceChunker.chunk(params, image).size());
        assertThat(found.digestedBytes).isZero();
        assertThat(source.bytesRead()).isEqualTo(5 * MIB);
    }

    @Test
    void aFewChangesCostTheChunksThatTheyAreInAndAnAppendedPieceItself() throws IOException {
        ChunkingParams params = ChunkingParams.builder().build().with(DigestAlgorithm.BLAKE3);
        byte[] image = RandomImages.random(new Random(2), 30 * MIB);
        remember(image, params);
        byte[] changed = Arrays.copyOf(image, image.length + 3 * MIB);
        for (int i = 0; i < 5; i++) {
            changed[(5 * i + 2) * MIB]++;
        }
        Found found = compare(changed, RandomImages.all(changed), params, comparison(params));
        assertThat(found.digestedBytes).isBetween(3L * MIB, 7L * MIB);
        assertThat(found.cutAhead).isGreaterThanOrEqualTo(5);
        assertThat(found.digestedBytes - found.keptBytes)
                .as("a piece for each change, and the appended piece, whose first chunk may begin before it")
                .isBetween(3L * MIB + 5 * Pieces.BYTES, 3L * MIB + 5 * Pieces.BYTES + 4L * params.maxBytes());
    }

    @InTurn(days = 3)
    @Test
    void anImageThatIsAllNewIsLeftToTheEngineAndFoundAgainBehind() throws IOException {
        ChunkingParams params = ChunkingParams.builder().build().with(DigestAlgorithm.BLAKE3);
        byte[] image = RandomImages.random(new Random(3), 120 * MIB);
        remember(image, params);
        byte[] changed = image.clone();
        System.arraycopy(RandomImages.random(new Random(4), 60 * MIB), 0, changed, 10 * MIB, 60 * MIB);
        long scannedBefore = engine.figures().bytesScanned();
        Found found = compare(changed, RandomImages.all(changed), params, comparison(params));
        assertThat(engine.figures().bytesScanned() - scannedBefore).isBetween(40L * MIB, 70L * MIB);
        assertThat(found.digestedBytes).isBetween(60L * MIB, 90L * MIB);
    }

    @Test
    void aDamagedCacheCostsTheRestOfTheImageOnly() throws IOException {
        ChunkingParams params = ChunkingParams.ofAverage(1024).with(DigestAlgorithm.BLAKE3);
        byte[] image = RandomImages.random(new Random(5), 8 * MIB);
        remember(image, params);
        Path file = folder.resolve(key.id().toString()).resolve("vm.cache");
        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 4 * 3] ^= 1;
        Files.write(file, bytes);
        Found found = compare(image, RandomImages.all(image), params, comparison(params));
        assertThat(found.digestedBytes).isBetween(3L * MIB, 7L * MIB);
    }
}
