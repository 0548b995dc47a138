// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.seal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.region.BadChunkException;
import io.shredder.backup.region.ChunkRef;
import io.shredder.backup.region.RegionPlace;
import io.shredder.backup.region.StoredRegion;
import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import io.shredder.engine.ShredderException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Against {@link JavaRegionOpener}, the readable reference. */
class NativeRegionOpenerTest {

    /** Behind magic, length and fields. */
    private static final int CRC_AT = 8 + StoredRegion.FIXED_BYTES;

    private final Random random = Keys.seeded();
    private final RepositoryKey key = RepositoryKey.generate(Keys.RANDOM);

    @TempDir
    Path folder;

    private final List<StoredRegion> regions = new ArrayList<>();
    private final List<RegionPlace> places = new ArrayList<>();

    /** As containers begin. */
    private static byte[] header() throws IOException {
        ByteBuffer header = ByteBuffer.allocate(2 * Fingerprint.BYTES);
        header.put("SHRDCONT".getBytes(StandardCharsets.US_ASCII)).putShort((short) 2);
        Fingerprint digest = Fingerprint.ofData(header.slice(0, Fingerprint.BYTES));
        digest.write(header.position(Fingerprint.BYTES));
        return header.array();
    }

    /** As containers have it. */
    private static byte[] record(StoredRegion region) {
        ByteBuffer record =
                ByteBuffer.allocate(CRC_AT + Integer.BYTES + region.stored().length());
        record.put("CHNK".getBytes(StandardCharsets.US_ASCII))
                .putInt(region.stored().length());
        region.writeFixed(record);
        record.putInt(0);
        region.stored().write(record);
        CRC32C crc = new CRC32C();
        crc.update(record.slice(0, CRC_AT));
        crc.update(record.slice(
                CRC_AT + Integer.BYTES, StoredRegion.tableBytes(region.chunks().size())));
        return record.putInt(CRC_AT, (int) crc.getValue()).array();
    }

    /** The sealer's next region takes the array of this one. */
    private static StoredRegion copy(StoredRegion region) {
        byte[] stored = new byte[region.stored().length()];
        region.stored().view().get(stored);
        return new StoredRegion(
                region.chunks(), region.codec(), region.storedDigest(), new StoredRegion.Payload(stored));
    }

    /** Some containers of regions of all kinds. */
    private void fill(DigestAlgorithm digest, int containers) throws IOException {
        ChunkIdentity identities = new ChunkIdentity(key, digest);
        try (RegionSealer sealer = new RegionSealer(key, Keys.RANDOM)) {
            for (int i = 0; i < containers; i++) {
                Path container = folder.resolve(i + ".contäiner");
                ByteArrayOutputStream bytes = new ByteArrayOutputStream();
                bytes.writeBytes(header());
                bytes.writeBytes(new byte[random.nextInt(100)]);
                for (int j = 1 + random.nextInt(4); j > 0; j--) {
                    List<byte[]> plains = new ArrayList<>();
                    for (int k = 1 + random.nextInt(6); k > 0; k--) {
                        plains.add(Keys.bytes(random, 1 + random.nextInt(40_000), random.nextBoolean()));
                    }
                    RegionSealer.Effort effort = RegionSealer.Effort.values()[random.nextInt(2)];
                    StoredRegion sealed = Keys.sealed(sealer, identities, effort, plains);
                    byte[] record = record(sealed);
                    places.add(new RegionPlace(container, bytes.size(), record.length));
                    regions.add(copy(sealed));
                    bytes.writeBytes(record);
                }
                Files.write(container, bytes.toByteArray());
            }
        }
    }

    /** From the containers. */
    private byte[] opened(NativeRegionOpener opener, List<ChunkRef> wanted) throws ShredderException {
        return into(wanted, target -> opener.readAtOnce(wanted, places, target));
    }

    private static byte[] opened(NativeRegionOpener opener, List<ChunkRef> wanted, List<StoredRegion> regions)
            throws ShredderException {
        return into(wanted, target -> opener.openAtOnce(wanted, regions, target));
    }

    @FunctionalInterface
    private interface Opening {
        void into(ByteBuffer target) throws ShredderException;
    }

    private static byte[] into(List<ChunkRef> wanted, Opening opening) throws ShredderException {
        ByteBuffer target = ByteBuffer.allocateDirect(3 + (int) StoredRegion.plainBytes(wanted));
        target.position(3);
        opening.into(target);
        byte[] plain = new byte[target.remaining()];
        target.get(plain);
        return plain;
    }

    /** As a message has it: behind others in an array. */
    private StoredRegion within(StoredRegion region) {
        int from = random.nextInt(100);
        byte[] array = Keys.bytes(random, from + region.stored().length() + random.nextInt(100), true);
        region.stored().view().get(array, from, region.stored().length());
        return new StoredRegion(
                region.chunks(),
                region.codec(),
                StoredRegion.UNDIGESTED,
                new StoredRegion.Payload(array, from, region.stored().length()));
    }

    @ParameterizedTest
    @EnumSource
    void theBytesAreThoseOfTheReference(DigestAlgorithm digest) throws Exception {
        try (RegionOpener reference = new JavaRegionOpener(key);
                NativeRegionOpener opener = new NativeRegionOpener(key, digest)) {
            for (int round = 0; round < 60; round++) {
                regions.clear();
                places.clear();
                fill(digest, 1 + random.nextInt(3));
                List<ChunkRef> wanted = new ArrayList<>();
                for (StoredRegion region : regions) {
                    region.chunks().stream()
                            .filter(ref -> random.nextInt(4) > 0)
                            .forEach(wanted::add);
                }
                if (random.nextBoolean()) {
                    Collections.shuffle(wanted, random);
                }
                byte[] expected = Keys.opened(reference, wanted, regions);
                assertThat(opened(opener, wanted)).isEqualTo(expected);
                assertThat(opened(
                                opener,
                                wanted,
                                regions.stream().map(this::within).toList()))
                        .isEqualTo(expected);
            }
        }
    }

    @Test
    void whatTheReferenceRefusesIsRefused() throws Exception {
        try (RegionOpener reference = new JavaRegionOpener(key);
                NativeRegionOpener opener = new NativeRegionOpener(key, DigestAlgorithm.BLAKE3)) {
            fill(DigestAlgorithm.BLAKE3, 1);
            RegionPlace first = places.get(0);
            List<ChunkRef> wanted = regions.get(0).chunks();
            byte[] whole = Files.readAllBytes(first.container());
            byte[] expected = Keys.opened(reference, wanted, regions);
            for (int round = 0; round < 200; round++) {
                byte[] flipped = whole.clone();
                int at = (int) first.offset() + random.nextInt(first.recordBytes());
                flipped[at] ^= (byte) (1 << random.nextInt(8));
                Files.write(first.container(), flipped);
                assertThatThrownBy(() -> opened(opener, wanted))
                        .isInstanceOf(ShredderException.class)
                        .hasMessageContaining(first.container() + " at " + first.offset());
            }
            Files.write(first.container(), whole);
            assertThat(opened(opener, wanted)).as("it is still good").isEqualTo(expected);
        }
    }

    @Test
    void aFlippedBitOfWhatIsInMemoryIsRefused() throws Exception {
        try (NativeRegionOpener opener = new NativeRegionOpener(key, DigestAlgorithm.BLAKE3)) {
            fill(DigestAlgorithm.BLAKE3, 1);
            StoredRegion whole = regions.get(0);
            for (int round = 0; round < 200; round++) {
                StoredRegion flipped = copy(whole);
                int at = StoredRegion.tableBytes(whole.chunks().size());
                at += random.nextInt(whole.stored().length() - at);
                flipped.stored().array()[at] ^= (byte) (1 << random.nextInt(8));
                assertThatThrownBy(() -> opened(opener, whole.chunks(), List.of(flipped)))
                        .isInstanceOf(ShredderException.class)
                        .hasMessageContaining("region 0: the seal is broken");
            }
        }
    }

    @Test
    void whatCannotBeProvedAtOnceIsOpenedStepByStepWhichNamesTheChunk() throws Exception {
        try (RegionOpener opener = RegionOpener.create(key, Optional.of(DigestAlgorithm.BLAKE3))) {
            assertThat(opener).isInstanceOf(NativeRegionOpener.class);
            fill(DigestAlgorithm.BLAKE3, 1);
            StoredRegion flipped = copy(regions.get(0));
            byte[] stored = flipped.stored().array();
            stored[stored.length - 1] ^= 1;
            assertThatThrownBy(() -> Keys.opened(opener, flipped))
                    .isInstanceOfSatisfying(BadChunkException.class, e -> assertThat(e.chunk())
                            .isEqualTo(flipped.first().fingerprint()));
        }
    }

    @Test
    void chunksOfAnotherDigestAreProvedStepByStep() throws Exception {
        try (RegionOpener reference = RegionOpener.create(key, Optional.empty());
                RegionOpener opener = RegionOpener.create(key, Optional.of(DigestAlgorithm.SHA_256))) {
            assertThat(reference).isInstanceOf(JavaRegionOpener.class);
            fill(DigestAlgorithm.BLAKE3, 1);
            List<ChunkRef> wanted = regions.get(0).chunks();
            ByteBuffer target = ByteBuffer.allocateDirect((int) StoredRegion.plainBytes(wanted));
            assertThat(opener.openAt(wanted, places, target)).isFalse();
            assertThat(Keys.opened(opener, wanted, regions)).isEqualTo(Keys.opened(reference, wanted, regions));
        }
    }

    @Test
    void anotherKeyOpensNothing() throws Exception {
        fill(DigestAlgorithm.BLAKE3, 1);
        try (NativeRegionOpener other =
                new NativeRegionOpener(RepositoryKey.generate(Keys.RANDOM), DigestAlgorithm.BLAKE3)) {
            assertThatThrownBy(() -> opened(other, regions.get(0).chunks()))
                    .isInstanceOf(ShredderException.class)
                    .hasMessageContaining("seal is broken");
        }
    }
}
