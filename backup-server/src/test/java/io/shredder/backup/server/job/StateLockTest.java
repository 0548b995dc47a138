// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.job;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateLockTest {

    @TempDir
    private Path folder;

    @Test
    void aFolderBelongsToOneDaemon() throws Exception {
        try (StateLock lock = StateLock.take(folder.resolve("state"))) {
            Process second = new ProcessBuilder(
                            Path.of(System.getProperty("java.home"), "bin", "java")
                                    .toString(),
                            "-cp",
                            System.getProperty("java.class.path"),
                            LockTwice.class.getName(),
                            folder.resolve("state").toString())
                    .redirectErrorStream(true)
                    .start();
            String output = new String(second.getInputStream().readAllBytes());
            assertThat(second.waitFor()).as(output).isEqualTo(3);
        }
        StateLock.take(folder.resolve("state")).close();
    }

    /** Another process that wants the folder. */
    static final class LockTwice {
        private LockTwice() {}

        public static void main(String[] arguments) {
            try {
                StateLock.take(Path.of(arguments[0])).close();
            } catch (IOException e) {
                System.out.println(e.getMessage());
                System.exit(e.getMessage().contains("in use by another daemon") ? 3 : 1);
            }
        }
    }
}
