// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.source;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.chunk.Chunk;
import io.shredder.chunk.ChunkingParams;
import io.shredder.chunk.ReferenceChunker;
import io.shredder.engine.Backend;
import io.shredder.engine.Shredder;
import io.shredder.engine.ShredderOptions;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ImageChunkerTest {

    private static final int CASES = Integer.getInteger("shredder.image.cases", 60);
    private static final int READ_BYTES = 128 << 10;

    @Test
    void imagesWithAnyHolesAndZerosGiveTheChunksOfTheWholeImage() throws IOException {
        long seed = Long.getLong("shredder.seed", System.nanoTime());
        try (Shredder engine = Shredder.open(ShredderOptions.of(Backend.AUTO))) {
            for (int i = 0; i < CASES; i++) {
                Random random = new Random(seed + i);
                List<Extent> extents = new ArrayList<>();
                byte[] image = layOut(random, extents);
                ChunkingParams params = params(random);
                List<Chunk> chunks = Chunkings.of(engine, new BytesImage(image, extents, READ_BYTES), params);
                assertThat(chunks)
                        .as("-Dshredder.seed=%d, %s", seed + i, params)
                        .isEqualTo(Chunkings.plain(ReferenceChunker.chunk(params, image)));
            }
        }
    }

    private static ChunkingParams params(Random random) {
        long average = 64L << random.nextInt(8);
        long min = 1 + random.nextInt((int) average);
        return ChunkingParams.builder()
                .averageBytes(average)
                .minBytes(min)
                .maxBytes(average * (1 + random.nextInt(8)))
                .build();
    }

    /** Runs of data, of zeros that are data, and of holes, of any length and place. */
    private static byte[] layOut(Random random, List<Extent> extents) {
        byte[] image = new byte[random.nextInt(1 << 20)];
        int at = 0;
        while (at < image.length) {
            int run = Math.min(image.length - at, 1 + random.nextInt(1 << (4 + random.nextInt(15))));
            switch (random.nextInt(3)) {
                case 0 -> {
                    byte[] bytes = new byte[run];
                    random.nextBytes(bytes);
                    System.arraycopy(bytes, 0, image, at, run);
                    extents.add(new Extent(at, run));
                }
                case 1 -> extents.add(new Extent(at, run));
                default -> {
                    // A hole.
                }
            }
            at += run;
        }
        return image;
    }

    @Test
    void holesAreNotReadAndZerosAreNotDigested() throws IOException {
        byte[] image = new byte[64 << 20];
        image[20 << 20] = 1;
        BytesImage source = new BytesImage(image, List.of(new Extent(16 << 20, 24 << 20)), 1 << 20);
        ChunkingParams params = ChunkingParams.builder().build();
        try (Shredder engine = Shredder.open(ShredderOptions.of(Backend.AUTO))) {
            List<Chunk> chunks = Chunkings.of(engine, source, params);
            assertThat(chunks).hasSize((64 << 20) / params.maxBytes());
            assertThat(engine.figures().toString()).isNotEmpty();
        }
        assertThat(source.bytesRead()).isEqualTo(24 << 20);
    }

    @Test
    void aHoleOfATerabyteTakesNoTimeToSpeakOf() throws IOException {
        ShortenedZeros zeros = new ShortenedZeros(ChunkingParams.builder().build());
        assertThat(zeros.shorten(0, 1L << 40)).isEqualTo(3 * (256 << 10));
        assertThat(zeros.leftOutAt(0, 256 << 10)).isZero();
        assertThat(zeros.leftOutAt(256 << 10, 256 << 10)).isEqualTo((1L << 22) - 3);
        assertThat(zeros.leftOutAt(512 << 10, 256 << 10)).isZero();
    }
}
