// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.job;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunHistoryTest {

    @TempDir
    private Path folder;

    @Test
    void whatWasHandledAndTheSeedOutliveTheDaemon() throws IOException {
        RunHistory history = RunHistory.open(folder);
        assertThat(history.handled("nightly")).isEmpty();
        history.setHandled("nightly", Instant.parse("2026-03-01T02:30:00Z"));
        history.setHandled("weekly", Instant.parse("2026-03-02T02:30:00Z"));
        history.setHandled("nightly", Instant.parse("2026-03-03T02:30:00Z"));
        RunHistory again = RunHistory.open(folder);
        assertThat(again.handled("nightly")).contains(Instant.parse("2026-03-03T02:30:00Z"));
        assertThat(again.handled("weekly")).contains(Instant.parse("2026-03-02T02:30:00Z"));
        assertThat(again.seed()).isEqualTo(history.seed());
    }

    @Test
    void aDamagedHistoryIsRefusedWithTheRemedy() throws IOException {
        for (String text : new String[] {
            "", "{", "{}", "{\"version\":2,\"seed\":1}", "{\"version\":1,\"seed\":1,\"handled\":{\"a\":\"yesterday\"}}"
        }) {
            Files.writeString(folder.resolve("history.json"), text);
            assertThatThrownBy(() -> RunHistory.open(folder))
                    .as(text)
                    .isInstanceOf(IOException.class)
                    .hasMessageStartingWith(folder.resolve("history.json") + " is damaged (")
                    .hasMessageContaining("move it away");
        }
    }

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
