// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.alert;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.schedule.JumpingClock;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AlertDoubtsTest {

    private static final long IMAGE = 1 << 20;

    @TempDir
    private Path folder;

    private final JumpingClock clock = new JumpingClock(Instant.parse("2026-03-02T00:00:00Z"));

    private AlertBook book() {
        return AlertBook.open(folder, clock, unused -> {});
    }

    private List<String> of(AlertBook book, String subject) {
        return AlertDoubts.of(book.raised(), book.unlike(), subject, clock.instant());
    }

    @Test
    void whatStandsOfAnImageSpeaksAgainstDeletingAndWhatStandsOfOthersDoesNot() {
        AlertBook book = book();
        assertThat(of(book, "nightly/vm")).isEmpty();
        for (AlertKind kind : new AlertKind[] {
            AlertKind.IMAGE_FAILED,
            AlertKind.IMAGE_SILENT,
            AlertKind.UNLIKE_BEFORE,
            AlertKind.CHANGES_UNTRUE,
            AlertKind.AGENT_WENT_BACK
        }) {
            book.raise(kind, "nightly/vm", "x");
            assertThat(of(book, "nightly/vm"))
                    .as(kind.word())
                    .singleElement()
                    .asString()
                    .contains(kind.word());
            assertThat(of(book, "nightly/vm2")).isEmpty();
            book.end(kind, "nightly/vm");
        }
        book.raise(AlertKind.BOOT_FAILED, "starts/vm", "x");
        assertThat(of(book, "nightly/vm")).hasSize(1);
        assertThat(of(book, "nightly/othervm")).isEmpty();
        book.end(AlertKind.BOOT_FAILED, "starts/vm");
        book.raise(AlertKind.DAMAGE_FOUND, "proof", "x");
        assertThat(of(book, "nightly/vm2")).as("damage may be anywhere").hasSize(1);
        book.end(AlertKind.DAMAGE_FOUND, "proof");
        book.raise(AlertKind.AGENT_WENT_BACK, "elsewhere", "x");
        assertThat(of(book, "nightly/vm2"))
                .as("a second agent may have lost any")
                .hasSize(1);
        book.end(AlertKind.AGENT_WENT_BACK, "elsewhere");
        book.raise(AlertKind.PRUNE_HELD, "old/vm", "x");
        book.raise(AlertKind.CERTIFICATE_ENDS, "", "x");
        assertThat(of(book, "nightly/vm")).isEmpty();
    }

    /** The night after an encryption brings little that is new, and so ends the alert. */
    @Test
    void anEncryptionIsRememberedForTwoWeeksAlsoOverRestarts() throws IOException {
        AlertBook book = book();
        for (int night = 0; night < 8; night++) {
            assertThat(book.isUnlikeBefore("nightly/vm", IMAGE, IMAGE / 100, IMAGE / 100))
                    .isFalse();
        }
        assertThat(book.isUnlikeBefore("nightly/vm", IMAGE, IMAGE, IMAGE)).isTrue();
        clock.add(Duration.ofDays(1));
        assertThat(book.isUnlikeBefore("nightly/vm", IMAGE, IMAGE / 100, IMAGE / 100))
                .isFalse();
        assertThat(of(book(), "nightly/vm")).singleElement().asString().contains("as it never had before");
        assertThat(of(book(), "nightly/other")).isEmpty();
        assertThat(AlertDoubts.inFolder(folder, "nightly", "vm", clock)).hasSize(1);
        clock.add(Duration.ofDays(12));
        assertThat(of(book(), "nightly/vm")).hasSize(1);
        clock.add(Duration.ofDays(1));
        assertThat(of(book(), "nightly/vm")).isEmpty();
    }

    @Test
    void ifNobodyKnowsWhatStoodNothingIsDeleted() throws IOException {
        book().raise(AlertKind.IMAGE_FAILED, "nightly/vm", "x");
        Files.writeString(folder.resolve("alerts.json"), "{\"version\":1,\"rai");
        assertThatThrownBy(() -> AlertDoubts.inFolder(folder, "nightly", "vm", clock))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("alerts.json is damaged");
        AlertBook begunAnew = book();
        assertThat(of(begunAnew, "nightly/any")).singleElement().asString().contains("is not known");
        begunAnew.raise(AlertKind.CERTIFICATE_ENDS, "", "x");
        assertThat(of(book(), "nightly/any")).as("after another restart").hasSize(1);
        assertThat(AlertDoubts.inFolder(folder.resolve("new"), "nightly", "vm", clock))
                .isEmpty();
    }
}
