// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.corpus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.chunk.Chunk;
import io.shredder.chunk.ChunkingParams;
import io.shredder.chunk.Fingerprint;
import io.shredder.chunk.ReferenceChunker;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CheckpointImageTest {
    private static final int BYTES = 4 << 20;

    @TempDir
    Path folder;

    private byte[] written(CheckpointImage image) throws IOException {
        Path file = folder.resolve("image");
        image.write(file);
        return Files.readAllBytes(file);
    }

    @Test
    void theBeginningStaysAndAllElseIsAtAnotherPlace() throws IOException {
        CheckpointImage first = CheckpointImage.first(3, BYTES);
        byte[] before = written(first);
        byte[] after = written(first.next());
        int calm = BYTES / 32 * 7;
        int border = Arrays.mismatch(before, after);
        assertThat(before).hasSize(BYTES);
        assertThat(border).isBetween(calm, calm + (4 << 10));
        assertThat(after.length - before.length).isBetween(16 << 10, 80 << 10);
        for (int block = calm; block + (16 << 10) <= before.length; block += 16 << 10) {
            assertThat(Arrays.equals(before, block, block + (16 << 10), after, block, block + (16 << 10)))
                    .isFalse();
        }
    }

    /** What part of the second one's bytes is in blocks of the first, as the readable reference cuts them. */
    private double similarity(ChunkingParams params, CheckpointImage first) throws IOException {
        Set<Fingerprint> there = new HashSet<>();
        ReferenceChunker.chunk(params, written(first)).forEach(chunk -> there.add(chunk.fingerprint()));
        byte[] second = written(first.next());
        return ReferenceChunker.chunk(params, second).stream()
                        .filter(chunk -> there.contains(chunk.fingerprint()))
                        .mapToDouble(Chunk::length)
                        .sum()
                / second.length;
    }

    @Test
    void fixedBlocksFind21To23PercentOfTheNextAgainAndBlocksByContent76To90() throws IOException {
        int block = 64 << 10;
        ChunkingParams fixed = ChunkingParams.builder()
                .averageBytes(block)
                .minBytes(block)
                .maxBytes(block)
                .build();
        for (int seed = 1; seed <= 2; seed++) {
            CheckpointImage image = CheckpointImage.first(seed, 256L * block);
            assertThat(similarity(fixed, image)).isBetween(0.21, 0.23);
            assertThat(similarity(ChunkingParams.ofAverage(block), image)).isBetween(0.76, 0.90);
        }
    }

    @Test
    void aSeriesIsTheSameForTheSameSeedAlone() throws IOException {
        byte[] third = written(CheckpointImage.first(3, BYTES).next().next());
        assertThat(written(CheckpointImage.first(3, BYTES).next().next())).isEqualTo(third);
        assertThat(written(CheckpointImage.first(4, BYTES).next().next())).isNotEqualTo(third);
        assertThat(written(CheckpointImage.first(3, BYTES).next())).isNotEqualTo(third);
    }

    @Test
    void anImageWithoutRoomForItsEditsIsRefused() {
        assertThatThrownBy(() -> CheckpointImage.first(1, 4096))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("4096 bytes");
    }
}
