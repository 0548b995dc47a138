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

    @Test
    void insertedLinesLeaveAllOthersInTheirOrder() throws IOException {
        List<String> after = edited(Edit.INSERT, 4, 0.2);

        assertThat(after).containsSubsequence(Files.readAllLines(text));
        assertThat(bytesOf(after) - Files.size(text)).isBetween(Files.size(text) / 6, Files.size(text) / 4);
    }

    @Test
    void deletedLinesAreGoneAndNoOthers() throws IOException {
        List<String> after = edited(Edit.DELETE, 4, 0.2);

        assertThat(Files.readAllLines(text)).containsSubsequence(after);
        assertThat(Files.size(text) - bytesOf(after)).isBetween(Files.size(text) / 6, Files.size(text) / 4);
    }

    @Test
    void movedLinesAreAllStillThereInAnotherOrder() throws IOException {
        List<String> before = Files.readAllLines(text);

        List<String> after = edited(Edit.MOVE, 1, 0.2);

        assertThat(after).isNotEqualTo(before);
        assertThat(after.stream().sorted()).isEqualTo(before.stream().sorted().toList());
    }

    @Test
    void rewrittenLinesAreAsManyAndOnlyTheyDiffer() throws IOException {
        List<String> before = Files.readAllLines(text);

        List<String> after = edited(Edit.REWRITE, 1, 0.2);

        assertThat(after).hasSameSizeAs(before);
        long changed = IntStream.range(0, LINES)
                .filter(i -> !after.get(i).equals(before.get(i)))
                .count();
        assertThat(changed).isBetween(LINES / 6L, LINES / 4L);
    }

    private List<String> edited(Edit edit, int places, double fraction) throws IOException {
        Path out = folder.resolve(edit.name());
        CorpusEditor.edit(text, out, new CorpusEditor.Plan(List.of(edit), places, fraction, 11, NewLines.TEXT));
        return Files.readAllLines(out);
    }

    private static long bytesOf(List<String> lines) {
        return lines.stream().mapToLong(line -> line.length() + 1L).sum();
    }

    private Path edited(long seed, double fraction) throws IOException {
        Path out = Files.createTempFile(folder, "edited", ".txt");
        CorpusEditor.edit(text, out, 9, fraction, seed);
        return out;
    }
}
