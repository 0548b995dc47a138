// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FileTargetTest {

    @TempDir
    private Path folder;

    @Test
    void anyMixOfBytesAndZerosIsWrittenExactly() throws IOException {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        for (int round = 0; round < 100; round++) {
            ByteArrayOutputStream expected = new ByteArrayOutputStream();
            Path file = folder.resolve("f" + round);
            try (FileTarget target = new FileTarget(file, false, true)) {
                for (int part = random.nextInt(8); part > 0; part--) {
                    byte[] bytes = part(random);
                    expected.writeBytes(bytes);
                    target.write(bytes);
                    int zeros = random.nextInt(3) == 0 ? random.nextInt(20_000) : 0;
                    expected.writeBytes(new byte[zeros]);
                    target.writeZeros(zeros);
                }
                target.commit();
            }
            assertThat(Files.readAllBytes(file)).isEqualTo(expected.toByteArray());
        }
        assertThat(folder.toFile().list()).hasSize(100);
    }

    private static byte[] part(Random random) {
        byte[] bytes = new byte[random.nextInt(30_000)];
        if (random.nextBoolean()) {
            int from = random.nextInt(bytes.length + 1);
            for (int i = from; i < Math.min(bytes.length, from + random.nextInt(9000)); i++) {
                bytes[i] = (byte) random.nextInt();
            }
        } else {
            random.nextBytes(bytes);
        }
        return bytes;
    }

    @Test
    void withoutACommitNothingIsLeft() throws IOException {
        try (FileTarget target = new FileTarget(folder.resolve("f"), false, true)) {
            target.write(new byte[] {1});
        }
        assertThat(folder).isEmptyDirectory();
    }

    @Test
    void aFileThatAppearsMeanwhileIsNotOverwritten() throws IOException {
        Path file = folder.resolve("f");
        try (FileTarget target = new FileTarget(file, false, true)) {
            Files.writeString(file, "precious");
            assertThatThrownBy(target::commit).hasMessageContaining("exists");
        }
        assertThat(file).hasContent("precious");
        assertThat(folder.toFile().list()).containsExactly("f");
    }
}
