// SPDX-License-Identifier: Apache-2.0
package io.shredder.engine.region;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import io.shredder.engine.ShredderException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What it reads is in {@code region_test.cpp}, and in {@code NativeRegionOpenerTest} of the backup server. */
class RegionReaderTest {

    private static final byte[] KEY = new byte[RegionReader.KEY_BYTES];
    private static final List<Fingerprint> ONE = List.of(Fingerprint.of(new byte[Fingerprint.BYTES]));

    @Test
    void aKeyOfAnotherLengthIsRefused() {
        assertThatThrownBy(() -> new RegionReader(KEY, new byte[31], DigestAlgorithm.BLAKE3))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not 32 and 31");
    }

    @Test
    void memoryThatWouldNotHoldTheChunksIsRefused() throws Exception {
        try (RegionReader reader = new RegionReader(KEY, KEY, DigestAlgorithm.BLAKE3)) {
            ByteBuffer small = ByteBuffer.allocateDirect(9);
            assertThatThrownBy(() -> reader.read(List.of(), ONE, new int[] {10}, small))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> reader.read(List.of(), ONE, new int[] {10}, ByteBuffer.allocate(10)))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> reader.read(List.of(), ONE, new int[0], small))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("1 chunks with 0 lengths");
        }
    }

    @Test
    void aRegionThatIsNoneIsRefused() throws Exception {
        ByteBuffer fields = ByteBuffer.allocate(RegionReader.FIELDS_BYTES);
        ByteBuffer stored = ByteBuffer.allocate(10);
        assertThatThrownBy(() -> new RegionReader.Region(fields, ByteBuffer.allocateDirect(10)))
                .isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> new RegionReader.Region(ByteBuffer.allocate(71), stored))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("not 71");
        List<RegionReader.Region> regions = List.of(new RegionReader.Region(fields, stored));
        try (RegionReader reader = new RegionReader(KEY, KEY, DigestAlgorithm.BLAKE3)) {
            ByteBuffer target = ByteBuffer.allocateDirect(10);
            assertThatThrownBy(() -> reader.open(regions, ONE, new int[] {10}, target))
                    .isInstanceOf(ShredderException.class)
                    .hasMessageContaining("region 0: the region has another codec");
        }
    }

    @Test
    void aMissingContainerIsNamedAndAClosedReaderRefuses() throws Exception {
        RegionReader reader = new RegionReader(KEY, KEY, DigestAlgorithm.SHA_256);
        ByteBuffer target = ByteBuffer.allocateDirect(10);
        List<RegionReader.Place> nowhere = List.of(new RegionReader.Place(Path.of("/nowhere/1.container"), 64, 200));
        assertThatThrownBy(() -> reader.read(nowhere, ONE, new int[] {10}, target))
                .isInstanceOf(ShredderException.class)
                .hasMessageContaining("/nowhere/1.container at 64: can't be opened: No such file or directory");
        reader.close();
        reader.close();
        assertThatThrownBy(() -> reader.read(nowhere, ONE, new int[] {10}, target))
                .isInstanceOf(IllegalStateException.class);
    }
}
