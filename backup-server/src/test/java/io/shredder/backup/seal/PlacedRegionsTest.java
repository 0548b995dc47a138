// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.seal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.protocol.ChunkRef;
import io.shredder.backup.protocol.RegionPlace;
import io.shredder.backup.protocol.StoredRegion;
import io.shredder.chunk.DigestAlgorithm;
import io.shredder.engine.ShredderException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Against {@link RegionOpener}, the readable reference. */
class PlacedRegionsTest {

    /** Magic, stored length. */
    private static final int BEFORE_FIXED = 8;

    private static final int CRC_BYTES = 4;

    private final Random random = Keys.seeded();
    private final RepositoryKey key = RepositoryKey.generate(Keys.RANDOM);

    @TempDir
    Path folder;

    private final List<StoredRegion> regions = new ArrayList<>();
    private final List<RegionPlace> places = new ArrayList<>();

    /** As containers have it; the CRC is left out, since only agents look at it. */
    private static byte[] record(StoredRegion region) {
        ByteBuffer record = ByteBuffer.allocate(BEFORE_FIXED
                + StoredRegion.FIXED_BYTES
                + CRC_BYTES
                + region.stored().length());
        record.put(new byte[] {'C', 'H', 'N', 'K'}).putInt(region.stored().length());
        region.writeFixed(record);
        record.putInt(0);
        region.stored().write(record);
        return record.array();
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

    private byte[] opened(PlacedRegions placed, List<ChunkRef> wanted) throws ShredderException {
        ByteBuffer target = ByteBuffer.allocateDirect(3 + (int) StoredRegion.plainBytes(wanted));
        target.position(3);
        placed.open(wanted, places, target);
        byte[] plain = new byte[target.remaining()];
        target.get(plain);
        return plain;
    }

    @ParameterizedTest
    @EnumSource
    void theBytesAreThoseOfTheReference(DigestAlgorithm digest) throws Exception {
        try (RegionOpener reference = new RegionOpener(key);
                PlacedRegions placed = new PlacedRegions(key, digest)) {
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
                assertThat(opened(placed, wanted)).isEqualTo(Keys.opened(reference, wanted, regions));
            }
        }
    }

    @Test
    void whatTheReferenceRefusesIsRefused() throws Exception {
        try (RegionOpener reference = new RegionOpener(key);
                PlacedRegions placed = new PlacedRegions(key, DigestAlgorithm.BLAKE3)) {
            fill(DigestAlgorithm.BLAKE3, 1);
            RegionPlace first = places.get(0);
            List<ChunkRef> wanted = regions.get(0).chunks();
            byte[] whole = Files.readAllBytes(first.container());
            byte[] expected = Keys.opened(reference, wanted, regions);
            for (int round = 0; round < 200; round++) {
                byte[] flipped = whole.clone();
                int at = (int) first.offset()
                        + BEFORE_FIXED
                        + StoredRegion.FIXED_BYTES
                        + CRC_BYTES
                        + random.nextInt(regions.get(0).stored().length());
                flipped[at] ^= (byte) (1 << random.nextInt(8));
                Files.write(first.container(), flipped);
                assertThatThrownBy(() -> opened(placed, wanted))
                        .isInstanceOf(ShredderException.class)
                        .hasMessageContaining(first.container() + " at " + first.offset());
            }
            Files.write(first.container(), whole);
            assertThat(opened(placed, wanted)).as("it is still good").isEqualTo(expected);
        }
    }

    @Test
    void anotherKeyOpensNothing() throws Exception {
        fill(DigestAlgorithm.BLAKE3, 1);
        try (PlacedRegions other = new PlacedRegions(RepositoryKey.generate(Keys.RANDOM), DigestAlgorithm.BLAKE3)) {
            assertThatThrownBy(() -> opened(other, regions.get(0).chunks()))
                    .isInstanceOf(ShredderException.class)
                    .hasMessageContaining("seal is broken");
        }
    }
}
