// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.Random;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LiveMapTest {

    private static final UUID BOOT = new UUID(1, 2);
    private static final UUID NEXT_BOOT = new UUID(3, 4);
    private static final long BLOCKS = 2L * MapSector.BLOCKS + 5;

    @TempDir
    private Path folder;

    private static LiveHeader header() {
        return new LiveHeader(
                new UUID(0x0123456789ABCDEFL, 0x0F1E2D3C4B5A6978L),
                4096,
                BLOCKS * 4096 - 100,
                7,
                Fingerprint.ofData(ByteBuffer.wrap(new byte[] {1, 2, 3})),
                new SnapshotName("vm"));
    }

    private Path create() throws IOException {
        Path file = folder.resolve("map");
        LiveMap.create(file, header());
        return file;
    }

    private static void forget() {}

    @Test
    void blocksAreThereOnceClaimedAndAfterAFlushForGood() throws IOException {
        Path file = create();
        try (LiveMap map = LiveMap.open(file, BOOT)) {
            assertThat(map.header()).isEqualTo(header());
            assertThat(map.next(true, 0, BLOCKS)).isEqualTo(BLOCKS);
            map.claim(3, 4);
            map.claim(MapSector.BLOCKS - 1, MapSector.BLOCKS + 2);
            map.flush(LiveMapTest::forget);
            map.claim(100, 300);
            assertThat(map.presentBlocks()).isEqualTo(204);
            assertThat(map.next(true, 4, BLOCKS)).isEqualTo(100);
            assertThat(map.next(false, 100, BLOCKS)).isEqualTo(300);
            assertThat(map.next(false, 100, 250)).isEqualTo(250);
        }
        try (LiveMap map = LiveMap.open(file, BOOT)) {
            assertThat(map.presentBlocks()).as("killed").isEqualTo(204);
        }
        try (LiveMap map = LiveMap.open(file, NEXT_BOOT)) {
            assertThat(map.presentBlocks()).as("out of power").isEqualTo(4);
            assertThat(map.has(3) && map.has(MapSector.BLOCKS + 1)).isTrue();
            map.claim(0, BLOCKS);
            assertThat(map.isWhole()).isTrue();
            map.flush(LiveMapTest::forget);
        }
        try (LiveMap map = LiveMap.open(file, BOOT)) {
            assertThat(map.isWhole()).as("claims of a run before are nothing").isTrue();
        }
    }

    @Test
    void anyClaimsAreWhatABitSetSays() throws IOException {
        Random random = new Random(5);
        BitSet model = new BitSet();
        try (LiveMap map = LiveMap.open(create(), BOOT)) {
            for (int i = 0; i < 500; i++) {
                int from = random.nextInt((int) BLOCKS);
                int to = Math.min((int) BLOCKS, from + 1 + random.nextInt(random.nextInt(20) == 0 ? 5_000 : 90));
                map.claim(from, to);
                model.set(from, to);
                int at = random.nextInt((int) BLOCKS);
                int set = model.nextSetBit(at);
                assertThat(map.has(at)).isEqualTo(model.get(at));
                assertThat(map.next(true, at, BLOCKS)).isEqualTo(set < 0 ? BLOCKS : set);
                assertThat(map.next(false, at, BLOCKS)).isEqualTo(Math.min(BLOCKS, model.nextClearBit(at)));
                assertThat(map.presentBlocks()).isEqualTo(model.cardinality());
            }
        }
    }

    @Test
    void eachByteThatCountsIsProved() throws IOException {
        Path file = create();
        try (LiveMap map = LiveMap.open(file, BOOT)) {
            map.claim(0, 5_000);
            map.flush(LiveMapTest::forget);
        }
        byte[] whole = Files.readAllBytes(file);
        assertThat(whole).hasSize(512 * 7);
        Random random = new Random(6);
        for (int at = 0; at < 512 * 4; at++) {
            byte[] damaged = whole.clone();
            damaged[at] ^= (byte) (1 << random.nextInt(8));
            Files.write(file, damaged);
            assertThatThrownBy(() -> LiveMap.open(file, NEXT_BOOT).close())
                    .as("byte %d", at)
                    .hasMessageContaining(file.toString())
                    .hasMessageContaining("offset");
        }
        byte[] damaged = whole.clone();
        damaged[512 * 4 + 3] ^= 1;
        Files.write(file, damaged);
        assertThatThrownBy(() -> LiveMap.open(file, BOOT).close()).hasMessageContaining("damaged at offset 2048");
        LiveMap.open(file, NEXT_BOOT).close();
    }

    @Test
    void aSectorOfAnotherMapOrPlaceIsNoneOfThis() throws IOException {
        Path file = create();
        byte[] bytes = Files.readAllBytes(file);
        System.arraycopy(bytes, 512, bytes, 1024, 512);
        Files.write(file, bytes);
        assertThatThrownBy(() -> LiveMap.open(file, BOOT).close()).hasMessageContaining("damaged at offset 1024");
    }

    @Test
    void whenTheDiskFailsNothingMoreIsTakenAndClaimsAreForgotten() throws IOException {
        Path file = create();
        try (LiveMap map = LiveMap.open(file, BOOT)) {
            map.claim(1, 2);
            map.flush(LiveMapTest::forget);
            map.claim(2, 3);
            assertThatThrownBy(() -> map.flush(() -> {
                        throw new IOException("bad disk");
                    }))
                    .hasMessage("bad disk");
            assertThatThrownBy(() -> map.claim(4, 5)).hasMessageContaining("bad disk");
            assertThatThrownBy(() -> map.flush(LiveMapTest::forget)).hasMessageContaining("bad disk");
        }
        try (LiveMap map = LiveMap.open(file, BOOT)) {
            assertThat(map.presentBlocks()).isEqualTo(1);
        }
    }

    @Test
    void oneProcessHasIt() throws IOException {
        Path file = create();
        try (LiveMap map = LiveMap.open(file, BOOT)) {
            assertThat(map.isWhole()).isFalse();
            assertThatThrownBy(() -> LiveMap.open(file, BOOT).close()).hasMessageContaining("is in use");
        }
    }

    @Test
    void whoBeginsSecondTakesNoMapAway() throws IOException {
        Path file = create();
        try (LiveMap map = LiveMap.open(file, BOOT)) {
            map.claim(1, 2);
            LiveMap.create(file, header());
            assertThatThrownBy(() -> LiveMap.open(file, BOOT).close()).hasMessageContaining("is in use");
        }
        try (LiveMap map = LiveMap.open(file, BOOT)) {
            assertThat(map.presentBlocks()).isEqualTo(1);
        }
        try (var left = Files.list(folder)) {
            assertThat(left).containsExactly(file);
        }
    }

    /** Written by another program from the document. */
    @Test
    void theGoldenFileIsReadAndWritten() throws IOException {
        byte[] golden = Files.readAllBytes(Path.of("../testvectors/live-map-v1.bin"));
        Path file = folder.resolve("golden");
        Files.write(file, golden);
        try (LiveMap map = LiveMap.open(file, UUID.fromString("00000000-0000-0001-0000-000000000002"))) {
            assertThat(map.header()).isEqualTo(header());
            assertThat(map.presentBlocks()).isEqualTo(12);
            assertThat(map.has(0) && map.has(63) && map.has(MapSector.BLOCKS) && map.has(BLOCKS - 1))
                    .isTrue();
        }
        Path own = create();
        try (LiveMap map = LiveMap.open(own, BOOT)) {
            map.claim(0, 1);
            map.claim(63, 65);
            map.claim(MapSector.BLOCKS, MapSector.BLOCKS + 1);
            map.flush(LiveMapTest::forget);
            map.claim(BLOCKS - 8, BLOCKS);
        }
        assertThat(HexFormat.of().formatHex(Files.readAllBytes(own)))
                .isEqualTo(HexFormat.of().formatHex(golden));
    }

    @Test
    void anotherVersionOrFileIsRefused() throws IOException {
        Path file = create();
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(new byte[] {0, 2}), 8);
        }
        assertThatThrownBy(() -> LiveMap.header(file)).hasMessageContaining("version 2 at offset 8");
        Files.write(file, new byte[10]);
        assertThatThrownBy(() -> LiveMap.header(file)).hasMessageContaining("no map of a live restore");
    }
}
