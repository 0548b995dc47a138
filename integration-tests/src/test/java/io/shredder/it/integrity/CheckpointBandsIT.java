// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.integrity;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.chunk.DigestAlgorithm;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A process's images are as similar as the paper's, at each of its sizes of blocks. */
class CheckpointBandsIT {
    private static final long IMAGE_BYTES = 256L << 20;
    private static final long SEED = 1;

    @TempDir
    static Path folder;

    private static List<String> images;

    @BeforeAll
    static void writeImages() throws IOException {
        images = CheckpointFigures.images(folder, SEED, 2, IMAGE_BYTES);
    }

    /** What part of the second image's bytes are in blocks of the first. */
    private static double similarity(Cutting cutting) throws IOException {
        Set<Fingerprint> there = new HashSet<>();
        long[] bytes = new long[2];
        try (Feeds feeds = new Feeds(DigestAlgorithm.BLAKE3, 2);
                BlockFeed feed = feeds.of(Variant.CPU, cutting, List.of())) {
            feed.feed(Path.of(images.get(0)), blocks -> there.addAll(blocks.digests()));
            feed.feed(Path.of(images.get(1)), blocks -> {
                for (int i = 0; i < blocks.lengths().size(); i++) {
                    bytes[0] += blocks.lengths().get(i);
                    bytes[1] += there.contains(blocks.digests().get(i))
                            ? blocks.lengths().get(i)
                            : 0;
                }
            });
        }
        return (double) bytes[1] / bytes[0];
    }

    @ParameterizedTest
    @CsvSource({"256", "1024", "4096"})
    void fixedBlocksFind21To23PercentAgain(int kib) throws IOException {
        assertThat(similarity(new Cutting(false, kib << 10))).isBetween(0.21, 0.23);
    }

    @ParameterizedTest
    @CsvSource({"256", "1024", "4096"})
    void blocksByContentFind76To90PercentAgain(int kib) throws IOException {
        assertThat(similarity(new Cutting(true, kib << 10))).isBetween(0.76, 0.90);
    }

    @Test
    void aSeriesOutsideTheBandsIsRefused() {
        Cutting fixed = new Cutting(false, 1 << 20);
        Cutting byContent = new Cutting(true, 1 << 20);
        assertThatCode(() -> CheckpointFigures.requireBand(fixed, IMAGE_BYTES, 0.22))
                .doesNotThrowAnyException();
        assertThatThrownBy(() -> CheckpointFigures.requireBand(fixed, IMAGE_BYTES, 0.24))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("24.0 % of an image again, the paper's 21 to 23 %");
        assertThatThrownBy(() -> CheckpointFigures.requireBand(byContent, IMAGE_BYTES, 0.75))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("by content, 1 MiB");
    }
}
