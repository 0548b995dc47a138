// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileTargetTest {

    @TempDir
    private Path folder;

    @Test
    void withoutACommitNothingIsLeft() throws IOException {
        try (FileTarget target = new FileTarget(folder.resolve("f"), false, true)) {
            target.write(0, ByteBuffer.wrap(new byte[] {1}));
        }
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void blocksOfZerosBecomeHoles() throws IOException, InterruptedException {
        byte[] image = new byte[1 << 20];
        image[100] = 1;
        image[900_000] = 1;
        Path file = folder.resolve("f");
        try (FileTarget target = new FileTarget(file, false, true)) {
            target.write(0, ByteBuffer.wrap(image, 0, 500_000));
            target.write(500_000, ByteBuffer.wrap(image, 500_000, image.length - 500_000));
            target.commit(image.length);
        }
        assertThat(file).hasBinaryContent(image);
        Process stat = new ProcessBuilder("stat", "-c", "%b", file.toString()).start();
        String blocks = new String(stat.getInputStream().readAllBytes(), StandardCharsets.US_ASCII).strip();
        assertThat(stat.waitFor()).isZero();
        assertThat(Long.parseLong(blocks) * 512).isLessThanOrEqualTo(64 << 10);
    }

    @Test
    void aFileThatAppearsMeanwhileIsNotOverwritten() throws IOException {
        Path file = folder.resolve("f");
        try (FileTarget target = new FileTarget(file, false, true)) {
            Files.writeString(file, "precious");
            assertThatThrownBy(() -> target.commit(0)).hasMessageContaining("exists");
        }
        assertThat(file).hasContent("precious");
        assertThat(folder.toFile().list()).containsExactly("f");
    }
}
