// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.Samples;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SparseFileTest {

    private static final int BLOCK = SparseFile.BLOCK_BYTES;

    @TempDir
    private Path folder;

    @Test
    void whatIsReleasedReadsAsZerosAndTheRestStaysAsItWas() throws IOException {
        Path path = folder.resolve("file");
        byte[] bytes = Samples.randomBytes(new Random(1), 20 * BLOCK + 100);
        Files.write(path, bytes);
        try (SparseFile file = SparseFile.open(path)) {
            assertThat(file.data(bytes.length)).containsExactly(new Span(0, bytes.length));
            assertThat(file.release(new Span(3 * BLOCK, 7 * BLOCK))).isTrue();
            assertThat(file.release(new Span(10 * BLOCK, 11 * BLOCK))).isTrue();
            assertThat(file.data(bytes.length))
                    .containsExactly(
                            new Span(0, 3 * BLOCK),
                            new Span(7 * BLOCK, 10 * BLOCK),
                            new Span(11 * BLOCK, bytes.length));
            assertThat(file.data(8 * BLOCK)).containsExactly(new Span(0, 3 * BLOCK), new Span(7 * BLOCK, 8 * BLOCK));
        }
        Arrays.fill(bytes, 3 * BLOCK, 7 * BLOCK, (byte) 0);
        Arrays.fill(bytes, 10 * BLOCK, 11 * BLOCK, (byte) 0);
        assertThat(Files.readAllBytes(path)).isEqualTo(bytes);
    }

    @Test
    void aFileThatIsOneHoleHasNoData() throws IOException {
        Path path = folder.resolve("hole");
        Files.write(path, new byte[4 * BLOCK]);
        try (SparseFile file = SparseFile.open(path)) {
            file.release(new Span(0, 4 * BLOCK));
            assertThat(file.data(4 * BLOCK)).isEqualTo(List.of());
        }
    }

    @Test
    void theTrialLeavesNothing() throws IOException {
        SparseFile.works(folder.resolve("trial"));
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aMissingFileIsNamed() {
        assertThatThrownBy(() -> SparseFile.open(folder.resolve("none")))
                .isInstanceOf(NoSuchFileException.class)
                .hasMessage(folder.resolve("none").toString());
    }

    @Test
    void wholeBlocksAreThoseThatASpanFills() {
        assertThat(new Span(1, 3 * BLOCK + 5).wholeBlocks(BLOCK)).isEqualTo(new Span(BLOCK, 3 * BLOCK));
        assertThat(new Span(BLOCK, 2 * BLOCK).wholeBlocks(BLOCK)).isEqualTo(new Span(BLOCK, 2 * BLOCK));
        assertThat(new Span(1, BLOCK + 5).wholeBlocks(BLOCK).bytes()).isZero();
        assertThat(new Span(1, 5).wholeBlocks(BLOCK).bytes()).isZero();
    }
}
