// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.corpus;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.stream.IntStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class CorpusEditorTest {
    private static final int LINES = 50_000;

    @TempDir
    Path folder;

    private Path text;

    @BeforeEach
    void writeText() throws IOException {
        var random = new Random(7);
        text = folder.resolve("text");
        Files.write(
                text,
                IntStream.range(0, LINES)
                        .mapToObj(i -> "line " + i + " " + Long.toString(random.nextLong(), 36))
                        .toList());
    }

    @Test
    void theSameSeedGivesTheSameVersionAndAnotherSeedAnother() throws IOException {
        assertThat(edited(1, 0.01)).hasSameBinaryContentAs(edited(1, 0.01));
        assertThat(Files.mismatch(edited(1, 0.01), edited(2, 0.01))).isGreaterThanOrEqualTo(0);
    }

    @Test
    void editsTakeAboutTheFractionAskedForAndLeaveTheOtherLinesAlone() throws IOException {
        List<String> before = Files.readAllLines(text);
        List<String> after = Files.readAllLines(edited(3, 0.01));

        var kept = new HashSet<>(before);
        kept.retainAll(new HashSet<>(after));
        var added = new HashSet<>(after);
        added.removeAll(new HashSet<>(before));

        // Two thirds of the places rewrite or delete lines, two thirds rewrite or insert some.
        assertThat(LINES - kept.size()).isBetween(LINES * 4 / 1000, LINES * 9 / 1000);
        assertThat(added).isNotEmpty();
        assertThat(after.stream().filter(kept::contains))
                .containsExactlyElementsOf(
                        before.stream().filter(kept::contains).toList());
    }

    private Path edited(long seed, double fraction) throws IOException {
        Path out = Files.createTempFile(folder, "edited", ".txt");
        CorpusEditor.edit(text, out, 9, fraction, seed);
        return out;
    }
}
