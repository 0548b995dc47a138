// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.corpus;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SimilarImagesTest {
    private static final int SEGMENT = SimilarImages.SEGMENT_BYTES;

    @TempDir
    Path folder;

    @Test
    void aSegmentIsReplacedWithItsProbabilityAndByContentOfThisImageAlone() throws Exception {
        SimilarImages images = SimilarImages.of(disk(), folder, 8L * SEGMENT);
        Path same = folder.resolve("same");
        Path first = folder.resolve("first");
        Path second = folder.resolve("second");

        assertThat(images.segments()).isEqualTo(8);
        assertThat(images.write(same, images.table(1), 1)).isEqualTo(8);
        assertThat(same).hasSameBinaryContentAs(images.master());
        double[] table = {0, 1, 0, 1, 0, 1, 0, 1};
        assertThat(images.write(first, table, 1)).isEqualTo(4);
        assertThat(images.write(second, table, 2)).isEqualTo(4);
        assertThat(changedSegments(images.master(), first)).isEqualTo(4);
        assertThat(changedSegments(first, second)).isEqualTo(4);
        assertThat(images.write(second, table, 1)).isEqualTo(4);
        assertThat(second).hasSameBinaryContentAs(first);
    }

    @Test
    void aMasterThatLeavesNoOtherContentIsRefused() throws Exception {
        Path disk = disk();
        assertThatThrownBy(() -> SimilarImages.of(disk, folder, 10L * SEGMENT))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("only 10 segments");
    }

    /** Ten segments with content, and one without in their midst. */
    private Path disk() throws IOException {
        byte[] content = new byte[11 * SEGMENT];
        new Random(5).nextBytes(content);
        Arrays.fill(content, 3 * SEGMENT, 4 * SEGMENT, (byte) 0);
        return Files.write(folder.resolve("disk"), content);
    }

    private static long changedSegments(Path one, Path other) throws IOException {
        return ChangedBlocks.between(one, other).changed() * Ext4Image.BLOCK_BYTES / SEGMENT;
    }
}
