// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.schedule;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateBytesTest {

    private static final int TIMES = 100;

    @TempDir
    private Path folder;

    @Test
    void anInterruptIsKeptAndLosesNothing() throws Exception {
        Path file = folder.resolve("state.json");
        List<Exception> failed = new ArrayList<>();
        boolean[] interrupted = new boolean[1];
        Thread writer = new Thread(() -> {
            try {
                Thread.currentThread().interrupt();
                for (int i = 0; i < TIMES; i++) {
                    StateBytes.replace(file, new byte[] {(byte) i});
                    interrupted[0] |= Thread.currentThread().isInterrupted();
                }
            } catch (IOException e) {
                failed.add(e);
            }
        });
        writer.start();
        while (writer.isAlive()) {
            writer.interrupt();
            writer.join(20);
        }
        assertThat(failed).isEmpty();
        assertThat(interrupted[0]).isTrue();
        assertThat(Files.readAllBytes(file)).containsExactly(TIMES - 1);
        try (var left = Files.list(folder)) {
            assertThat(left).containsExactly(file);
        }
    }
}
