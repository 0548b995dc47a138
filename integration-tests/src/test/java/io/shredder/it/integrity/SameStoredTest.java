// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.integrity;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.it.figures.Row;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whoever replays digests must have replayed those of the very input. */
class SameStoredTest {
    private static Row row(String name, String sent, int sentBytes, int storedBytes, int passes) throws IOException {
        return Row.parse(String.format(
                "{\"name\": \"%s\"%s, \"sentBytes\": %d, \"storedBytes\": %d, \"passes\": %d}",
                name, sent.isEmpty() ? "" : ", \"sent\": \"" + sent + "\"", sentBytes, storedBytes, passes));
    }

    @Test
    void whoNamesBlocksByContentsMustSendTheSameAndHaveAsMuchKept() throws IOException {
        Row cpu = row("cpu", "aa", 100, 110, 1);
        Row none = row("none", "", 200, 220, 1);
        assertThatCode(() -> IntegrityLab.requireSameStored(List.of(none, cpu, row("oracle", "aa", 100, 330, 3))))
                .doesNotThrowAnyException();
        for (Row other : List.of(
                row("oracle", "bb", 100, 110, 1), row("oracle", "aa", 101, 110, 1), row("oracle", "aa", 100, 111, 1))) {
            assertThatThrownBy(() -> IntegrityLab.requireSameStored(List.of(none, cpu, other)))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("oracle: ")
                    .hasMessageContaining("but cpu: 100 bytes sent (aa), 110 kept")
                    .hasMessageContaining("the store must be given the same blocks");
        }
    }
}
