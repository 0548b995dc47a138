// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.schedule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Optional;
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
    void aPauseOutlivesTheDaemonAndItsEndToo() throws IOException {
        Instant until = Instant.parse("2026-03-03T12:00:00Z");
        RunHistory history = RunHistory.open(folder);
        history.setPausedUntil("nightly", Optional.of(until));
        history.setHandled("nightly", until.minusSeconds(60));
        assertThat(RunHistory.open(folder).pausedUntil("nightly")).contains(until);
        assertThat(RunHistory.open(folder).handled("nightly")).contains(until.minusSeconds(60));
        assertThat(RunHistory.open(folder).pausedUntil("other")).isEmpty();
        history.setPausedUntil("nightly", Optional.empty());
        assertThat(RunHistory.open(folder).pausedUntil("nightly")).isEmpty();
        assertThat(Files.readString(folder.resolve("history.json"))).doesNotContain("paused");
    }

    @Test
    void whatCanNotBeRememberedIsNotSo() throws IOException {
        Path state = Files.createDirectory(folder.resolve("gone"));
        RunHistory history = RunHistory.open(state);
        Files.delete(state);
        assertThatThrownBy(() -> history.setPausedUntil("nightly", Optional.of(Instant.EPOCH)))
                .isInstanceOf(IOException.class);
        assertThat(history.pausedUntil("nightly")).isEmpty();
        assertThatThrownBy(() -> history.setHandled("nightly", Instant.EPOCH)).isInstanceOf(IOException.class);
        assertThat(history.handled("nightly")).isEmpty();
    }
}
