// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.seal.keyfile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.backup.seal.Keys;
import io.shredder.backup.seal.RepositoryKey;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PaperKeyTest {

    private static final List<String> PAPER = List.of(
            "1: 0001 0203 0405 0607 - a850",
            "2: 0809 0a0b 0c0d 0e0f - 98a5",
            "3: 1011 1213 1415 1617 - 9faf",
            "4: 1819 1a1b 1c1d 1e1f - 91d1",
            "id: d50d91e08d7edc53e95aa8fffee94c50");

    private static RepositoryKey parse(List<String> lines) throws IOException {
        return PaperKey.parse(lines);
    }

    @Test
    void thePaperIsAsDocumentedAndComesBack() throws IOException {
        assertThat(PaperKey.lines(Keys.counted())).isEqualTo(PAPER);
        assertThat(parse(PAPER).secret()).isEqualTo(Keys.counted().secret());
        RepositoryKey key = RepositoryKey.generate(Keys.RANDOM);
        assertThat(parse(PaperKey.lines(key)).secret()).isEqualTo(key.secret());
    }

    @Test
    void spacesCaseAndOtherLinesDoNotMatter() throws IOException {
        List<String> typed = new ArrayList<>(List.of("Shredder backup key", ""));
        PAPER.forEach(
                line -> typed.add(" " + line.toUpperCase(java.util.Locale.ROOT).replace(" ", "  ") + " "));
        assertThat(parse(typed).id()).isEqualTo(Keys.counted().id());
    }

    @Test
    void everySlipOfOneDigitIsFoundInItsLine() {
        for (int number = 0; number < 4; number++) {
            String line = PAPER.get(number);
            for (int at = 3; at < line.length(); at++) {
                if (Character.digit(line.charAt(at), 16) >= 0) {
                    List<String> typed = new ArrayList<>(PAPER);
                    char slip = line.charAt(at) == '0' ? '8' : '0';
                    typed.set(number, line.substring(0, at) + slip + line.substring(at + 1));
                    assertThatThrownBy(() -> parse(typed)).hasMessageContaining("a slip in line " + (number + 1));
                }
            }
        }
    }

    @Test
    void linesThatAreMissingMovedOrCutAreNamed() {
        assertThatThrownBy(() -> parse(PAPER.subList(0, 3)))
                .hasMessageContaining("line 4 of the paper copy is missing");
        assertThatThrownBy(() -> parse(PAPER.subList(1, 5))).hasMessageContaining("line 1 of the paper copy is '2:");
        assertThatThrownBy(() -> parse(PAPER.subList(0, 4))).hasMessageContaining("the line 'id:' says ''");
        List<String> cut = new ArrayList<>(PAPER);
        cut.set(1, "2: 0809 0a0b - 98a5");
        assertThatThrownBy(() -> parse(cut)).hasMessageContaining("line 2 of the paper copy is '2:08090a0b-98a5'");
        List<String> more = new ArrayList<>(PAPER);
        more.add("5: 1819 1a1b 1c1d 1e1f - 91d1");
        assertThatThrownBy(() -> parse(more)).hasMessageContaining("line 5");
    }
}
