// SPDX-License-Identifier: Apache-2.0
package io.shredder.chunk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;

import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ManifestCodecTest {

    private static final byte[] ENCODED = ManifestCodec.encode(sample("text:0d0a"));

    @Test
    void aManifestReadsAsWritten() throws Exception {
        Manifest manifest = ManifestCodec.decode(ENCODED, "m");
        Manifest sample = sample("text:0d0a");
        assertThat(manifest.params()).isEqualTo(sample.params());
        assertThat(manifest.chunks()).isEqualTo(sample.chunks());
        assertThat(manifest.recordFormat()).isEqualTo("text:0d0a");
        assertThat(manifest.fileId()).isEqualTo(16_421);
        assertThat(manifest.segmentLengths().stream().mapToLong(Long::longValue).sum())
                .isEqualTo(manifest.length());
    }

    @Test
    void anEmptyFileHasAManifestWithoutChunks() throws Exception {
        Manifest empty = Manifest.builder(ChunkingParams.ofAverage(1024)).build();
        Manifest read = ManifestCodec.decode(ManifestCodec.encode(empty), "m");
        assertThat(read.chunks()).isEmpty();
        assertThat(read.length()).isZero();
        assertThat(read.segmentLengths()).isEmpty();
    }

    @Test
    void everyTruncationIsRefusedWithTheOffsetWhereItEnds() {
        for (int length = 0; length < ENCODED.length; length++) {
            byte[] cut = Arrays.copyOf(ENCODED, length);
            Throwable thrown = catchThrowable(() -> ManifestCodec.decode(cut, "file.manifest"));
            assertThat(thrown).as("cut to %d", length).isInstanceOf(DamagedDataException.class);
            assertThat(((DamagedDataException) thrown).offset()).isEqualTo(length);
            assertThat(thrown).hasMessageContaining("file.manifest");
        }
    }

    @Test
    void everyFlippedBitIsRefused() {
        for (int bit = 0; bit < 8 * ENCODED.length; bit++) {
            byte[] flipped = ENCODED.clone();
            flipped[bit / 8] ^= (byte) (1 << bit % 8);
            assertThatThrownBy(() -> ManifestCodec.decode(flipped, "m"))
                    .as("bit %d", bit)
                    .isInstanceOf(DamagedDataException.class);
        }
    }

    @Test
    void bytesAfterTheEndAreRefused() {
        assertThatThrownBy(() -> ManifestCodec.decode(Arrays.copyOf(ENCODED, ENCODED.length + 1), "m"))
                .isInstanceOf(DamagedDataException.class)
                .hasMessageContaining("after the end");
    }

    @Test
    void anUnknownVersionIsNamed() {
        byte[] newer = ENCODED.clone();
        newer[9] = 7;
        assertThatThrownBy(() -> ManifestCodec.decode(newer, "m")).hasMessageContaining("version 7");
    }

    @Test
    void randomBytesNeverCauseAnythingButARefusal() {
        long seed = 2026;
        Random random = new Random(seed);
        for (int i = 0; i < 20_000; i++) {
            byte[] bytes = ENCODED.clone();
            int changes = 1 + random.nextInt(8);
            for (int c = 0; c < changes; c++) {
                bytes[random.nextInt(Math.min(bytes.length, 160))] = (byte) random.nextInt();
            }
            if (!Arrays.equals(bytes, ENCODED)) {
                assertThat(catchThrowable(() -> ManifestCodec.decode(bytes, "m")))
                        .as("seed %d, round %d", seed, i)
                        .isInstanceOf(DamagedDataException.class);
            }
        }
    }

    @Test
    void chunksMustFollowEachOther() {
        Manifest.Builder builder = Manifest.builder(ChunkingParams.ofAverage(1024));
        Fingerprint fingerprint = Fingerprint.ofData(ByteBuffer.allocate(0));
        assertThatThrownBy(() -> builder.add(new Chunk(5, 10, fingerprint, false)))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void bindingToAFileKeepsEverythingElse() {
        Manifest bound = sample("text").withFileId(9);
        assertThat(bound.fileId()).isEqualTo(9);
        assertThat(ManifestCodec.encode(bound.withFileId(16_421))).isEqualTo(ManifestCodec.encode(sample("text")));
    }

    static Manifest sample(String recordFormat) {
        ChunkingParams params = ChunkingParams.builder()
                .averageBytes(1024)
                .segments(4096, 2048, 16_384)
                .build();
        Manifest.Builder builder =
                Manifest.builder(params).recordFormat(recordFormat).fileId(16_421);
        ReferenceChunker.chunk(params, TestInput.splitmix64(7, 20_000)).forEach(builder::add);
        return builder.build();
    }

    /** Writes the golden file of a new format version; never run for one that has its file. */
    public static void main(String[] args) throws Exception {
        java.nio.file.Files.write(
                GoldenVectors.directory().resolve("manifest-v1.bin"),
                ENCODED,
                java.nio.file.StandardOpenOption.CREATE_NEW);
    }
}
