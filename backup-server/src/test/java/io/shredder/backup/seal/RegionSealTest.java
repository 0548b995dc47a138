// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.seal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.region.BadChunkException;
import io.shredder.backup.region.ChunkCodec;
import io.shredder.backup.region.ChunkRef;
import io.shredder.backup.region.RegionFormat;
import io.shredder.backup.region.StoredRegion;
import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class RegionSealTest {

    private final RepositoryKey key = RepositoryKey.generate(Keys.RANDOM);
    private final RegionOpener opener = new JavaRegionOpener(key);

    @AfterEach
    void close() {
        opener.close();
    }

    private static StoredRegion chunk(ChunkRef ref, byte[] stored) {
        return region(List.of(ref), stored);
    }

    private static StoredRegion region(List<ChunkRef> chunks, byte[] stored) {
        Fingerprint digest = Fingerprint.ofData(ByteBuffer.wrap(stored));
        ChunkCodec codec = chunks.size() == 1 ? ChunkCodec.SEALED : ChunkCodec.SEALED_TOGETHER;
        return new StoredRegion(chunks, codec, digest, new StoredRegion.Payload(stored));
    }

    /** The same stored bytes without anything of the sealer's array behind them. */
    private static byte[] storedOf(StoredRegion region) {
        byte[] stored = new byte[region.stored().length()];
        region.stored().view().get(stored);
        return stored;
    }

    private static byte[] joined(List<byte[]> parts) {
        ByteBuffer all =
                ByteBuffer.allocate(parts.stream().mapToInt(part -> part.length).sum());
        parts.forEach(all::put);
        return all.array();
    }

    private static List<byte[]> plains(Random random, int count, int longest) {
        List<byte[]> plains = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            plains.add(Keys.bytes(random, 1 + random.nextInt(longest), random.nextBoolean()));
        }
        return plains;
    }

    private void assertRefused(StoredRegion chunk, String as) {
        assertThatThrownBy(() -> Keys.opened(opener, chunk))
                .as(as)
                .isInstanceOf(BadChunkException.class)
                .hasMessageContaining(chunk.first().fingerprint().toString());
    }

    @Test
    void whatWasSealedOpensToTheSameBytesAndNoLongerThanTheOverhead() throws BadChunkException, IOException {
        Random random = Keys.seeded();
        for (int round = 0; round < 200; round++) {
            byte[] plain = Keys.bytes(random, 1 + random.nextInt(100_000), round % 2 == 0);
            StoredRegion sealed = Keys.sealed(key, plain);
            assertThat(Keys.opened(opener, sealed)).isEqualTo(plain);
            assertThat(sealed.stored().length()).isLessThanOrEqualTo(plain.length + RegionFormat.SEAL_BYTES);
        }
    }

    @Test
    void theLongestChunkFitsWhateverItHolds() throws BadChunkException, IOException {
        byte[] plain = Keys.bytes(new Random(1), RegionFormat.MAX_CHUNK_BYTES, false);
        assertThat(Keys.opened(opener, Keys.sealed(key, plain))).isEqualTo(plain);
    }

    @Test
    void ofManyOpenedTogetherTheFirstThatIsBadIsNamed() throws BadChunkException, IOException {
        Random random = Keys.seeded();
        List<StoredRegion> regions = new ArrayList<>();
        List<ChunkRef> wanted = new ArrayList<>();
        List<byte[]> expected = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            List<byte[]> plains = plains(random, 1 + random.nextInt(4), 9_000);
            regions.add(Keys.sealed(key, plains.toArray(byte[][]::new)));
            wanted.addAll(regions.get(i).chunks());
            expected.addAll(plains);
        }
        byte[] all = joined(expected);
        ByteBuffer target = ByteBuffer.allocateDirect(7 + all.length).position(7);
        opener.open(wanted, regions, target);
        assertThat(target).isEqualTo(ByteBuffer.wrap(all));
        byte[] stored = storedOf(regions.get(12));
        stored[stored.length - 1] ^= 1;
        regions.set(12, region(regions.get(12).chunks(), stored));
        assertThatThrownBy(() -> opener.open(wanted, regions, target))
                .isInstanceOfSatisfying(BadChunkException.class, e -> assertThat(e.chunk())
                        .isEqualTo(regions.get(12).first().fingerprint()));
    }

    @Test
    void chunksOfRegionsOpenInAnyOrderAlsoSomeOfThemOnly() throws BadChunkException, IOException {
        Random random = Keys.seeded();
        for (int round = 0; round < 50; round++) {
            List<StoredRegion> regions = new ArrayList<>();
            Map<ChunkRef, byte[]> all = new LinkedHashMap<>();
            for (int i = 0; i < 4; i++) {
                List<byte[]> plains = plains(random, 1 + random.nextInt(6), 5_000);
                StoredRegion region = Keys.sealed(key, plains.toArray(byte[][]::new));
                regions.add(region);
                for (int member = 0; member < plains.size(); member++) {
                    all.put(region.chunks().get(member), plains.get(member));
                }
            }
            List<ChunkRef> wanted = new ArrayList<>(all.keySet());
            if (round % 3 > 0) {
                Collections.shuffle(wanted, random);
            }
            wanted = wanted.subList(0, round % 2 == 0 ? wanted.size() : 1 + random.nextInt(wanted.size()));
            assertThat(Keys.opened(opener, wanted, regions))
                    .isEqualTo(joined(wanted.stream().map(all::get).toList()));
        }
    }

    @Test
    void chunksSealedTogetherTakeNoMoreThanTheirTableTheOverheadAndTheirBytes() throws BadChunkException, IOException {
        Random random = Keys.seeded();
        for (int count : new int[] {1, 2, 3, RegionFormat.MAX_REGION_CHUNKS}) {
            List<byte[]> plains = plains(random, count, 3_000);
            StoredRegion region = Keys.sealed(key, plains.toArray(byte[][]::new));
            assertThat(region.chunks()).hasSize(count);
            assertThat(Keys.opened(opener, region)).isEqualTo(joined(plains));
            assertThat(region.stored().length())
                    .isLessThanOrEqualTo((count - 1) * RegionFormat.MEMBER_BYTES
                            + (int) StoredRegion.plainBytes(region.chunks())
                            + RegionFormat.SEAL_BYTES);
        }
    }

    @Test
    void chunksSealedTogetherCantBeSwappedLeftOutOrMadeLongerInTheTable() throws IOException {
        byte[] one = Keys.bytes(new Random(1), 300, false);
        byte[] two = Keys.bytes(new Random(2), 300, false);
        byte[] three = Keys.bytes(new Random(3), 400, false);
        StoredRegion good = Keys.sealed(key, one, two, three);
        List<ChunkRef> chunks = good.chunks();
        byte[] stored = storedOf(good);
        assertRefused(region(List.of(chunks.get(1), chunks.get(0), chunks.get(2)), stored), "two of a length swapped");
        ChunkRef longer = new ChunkRef(301, chunks.get(1).fingerprint());
        ChunkRef shorter = new ChunkRef(399, chunks.get(2).fingerprint());
        assertRefused(region(List.of(chunks.get(0), longer, shorter), stored), "another cut");
        byte[] withoutOne = Arrays.copyOfRange(stored, RegionFormat.MEMBER_BYTES, stored.length);
        ChunkRef both = new ChunkRef(700, chunks.get(2).fingerprint());
        assertRefused(region(List.of(chunks.get(0), both), withoutOne), "one left out");
    }

    @Test
    void everyFlippedBitOfTheStoredFormIsFoundAlsoIfTheDigestIsMadeToFit() throws IOException {
        for (byte[] plain : new byte[][] {new byte[3000], Keys.bytes(new Random(3), 60, false)}) {
            for (StoredRegion good : List.of(Keys.sealed(key, plain), Keys.sealed(key, plain, new byte[] {1}))) {
                int table = StoredRegion.tableBytes(good.chunks().size());
                for (int bit = 8 * table; bit < 8 * good.stored().length(); bit++) {
                    byte[] stored = storedOf(good);
                    stored[bit / 8] ^= (byte) (1 << bit % 8);
                    assertRefused(region(good.chunks(), stored), "bit " + bit);
                }
            }
        }
    }

    @Test
    void aSealedChunkCantBePassedOffAsAnotherNorAsLonger() throws IOException {
        StoredRegion one = Keys.sealed(key, new byte[500]);
        StoredRegion two = Keys.sealed(key, new byte[600]);
        assertRefused(chunk(two.first(), storedOf(one)), "another chunk");
        assertRefused(chunk(new ChunkRef(501, one.first().fingerprint()), storedOf(one)), "another length");
    }

    @Test
    void bytesThatAreNotThoseOfTheIdentityAreFoundThoughTheSealIsRight() throws IOException {
        byte[] plain = {1, 2, 3};
        Fingerprint other = new ChunkIdentity(key, DigestAlgorithm.BLAKE3).ofData(ByteBuffer.wrap(new byte[] {4}));
        try (RegionSealer sealer = new RegionSealer(key, Keys.RANDOM)) {
            assertThatThrownBy(() -> Keys.opened(
                            opener,
                            sealer.seal(
                                    List.of(new ChunkRef(plain.length, other)),
                                    Keys.direct(plain),
                                    RegionSealer.Effort.QUICK)))
                    .hasMessageContaining("another identity");
        }
    }

    @Test
    void bytesInEachOthersPlacesAreFoundThoughTheSealIsRight() throws IOException {
        for (DigestAlgorithm algorithm : DigestAlgorithm.values()) {
            ChunkIdentity identities = new ChunkIdentity(key, algorithm);
            ChunkRef one = new ChunkRef(2, identities.ofData(ByteBuffer.wrap(new byte[] {1, 1})));
            ChunkRef two = new ChunkRef(2, identities.ofData(ByteBuffer.wrap(new byte[] {2, 2})));
            try (RegionSealer sealer = new RegionSealer(key, Keys.RANDOM)) {
                ByteBuffer swapped = Keys.direct(new byte[] {2, 2, 1, 1});
                StoredRegion sealed = sealer.seal(List.of(one, two), swapped, RegionSealer.Effort.QUICK);
                assertThatThrownBy(() -> Keys.opened(opener, sealed)).hasMessageContaining("another identity");
            }
        }
    }

    @Test
    void chunksOfBothDigestsOpenTogetherAndInTurn() throws BadChunkException, IOException {
        Random random = Keys.seeded();
        ChunkIdentity sha256 = new ChunkIdentity(key, DigestAlgorithm.SHA_256);
        ChunkIdentity blake3 = new ChunkIdentity(key, DigestAlgorithm.BLAKE3);
        List<StoredRegion> regions = new ArrayList<>();
        List<ChunkRef> all = new ArrayList<>();
        List<byte[]> allPlains = new ArrayList<>();
        try (RegionSealer sealer = new RegionSealer(key, Keys.RANDOM)) {
            for (int i = 0; i < 20; i++) {
                List<byte[]> plains = plains(random, 1 + random.nextInt(3), 5_000);
                ChunkIdentity identities = random.nextBoolean() ? sha256 : blake3;
                StoredRegion sealed = Keys.sealed(sealer, identities, RegionSealer.Effort.QUICK, plains);
                byte[] stored = new byte[sealed.stored().length()];
                sealed.stored().write(ByteBuffer.wrap(stored));
                StoredRegion region = new StoredRegion(
                        sealed.chunks(), sealed.codec(), StoredRegion.UNDIGESTED, new StoredRegion.Payload(stored));
                assertThat(Keys.opened(opener, region)).isEqualTo(joined(plains));
                regions.add(region);
                all.addAll(region.chunks());
                allPlains.addAll(plains);
            }
        }
        assertThat(Keys.opened(opener, all, regions)).isEqualTo(joined(allPlains));
    }

    @Test
    void anotherKeyOpensNothingAndGivesOtherIdentities() throws IOException {
        byte[] plain = new byte[100];
        RepositoryKey other = RepositoryKey.generate(Keys.RANDOM);
        StoredRegion sealed = Keys.sealed(key, plain);
        StoredRegion foreign = Keys.sealed(other, plain);
        assertThat(foreign.first().fingerprint()).isNotEqualTo(sealed.first().fingerprint());
        assertRefused(foreign, "sealed with another key");
        assertThat(other.id()).isNotEqualTo(key.id());
    }

    @Test
    void oneSealerSealsLongAndShortChunksWithEveryEffortInTurn() throws BadChunkException, IOException {
        Random random = Keys.seeded();
        try (RegionSealer sealer = new RegionSealer(key, Keys.RANDOM)) {
            for (int i = 0; i < 200; i++) {
                List<byte[]> plains = plains(random, 1 + random.nextInt(3), 100_000);
                RegionSealer.Effort effort =
                        RegionSealer.Effort.values()[random.nextInt(RegionSealer.Effort.values().length)];
                assertThat(Keys.opened(opener, Keys.sealed(sealer, key, effort, plains)))
                        .isEqualTo(joined(plains));
            }
        }
    }

    @Test
    void equalChunksHaveOneIdentityAndNeverTheSameStoredBytes() throws IOException {
        byte[] plain = new byte[100];
        StoredRegion first = Keys.sealed(key, plain);
        StoredRegion second = Keys.sealed(key, plain);
        assertThat(second.first()).isEqualTo(first.first());
        assertThat(second.stored().view()).isNotEqualTo(first.stored().view());
    }

    @Test
    void theStoredFormSaysNothingOfTheContents() throws IOException {
        byte[] plain = "a very well known plain text ".repeat(3).getBytes(java.nio.charset.StandardCharsets.US_ASCII);
        StoredRegion sealed = Keys.sealed(key, plain);
        assertThat(sealed.first().fingerprint()).isNotEqualTo(Fingerprint.ofData(ByteBuffer.wrap(plain)));
        assertThat(new String(sealed.stored().array(), java.nio.charset.StandardCharsets.ISO_8859_1))
                .doesNotContain("well known");
    }
}
