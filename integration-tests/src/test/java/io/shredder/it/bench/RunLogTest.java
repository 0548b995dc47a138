// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bench;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import io.shredder.it.incoop.Comparison;
import io.shredder.it.incoop.JobKind;
import io.shredder.it.incoop.Outcome;
import io.shredder.it.incoop.Version;
import io.shredder.it.incoop.Version.Style;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RunLogTest {
    private static final String CONDITIONS = "--bytes 1000";
    private static final Version FIRST = new Version(0, Style.MIXED, 0);
    private static final Version CHANGED = new Version(2.5, Style.INSERT, 10);

    @TempDir
    private Path folder;

    @Test
    void keepsRunsForTheNextPart() throws IOException {
        RunLog part = RunLog.begin(folder, CONDITIONS);
        Comparison first = run(JobKind.WORD_COUNT, FIRST);
        Comparison later = run(JobKind.WORD_COUNT, CHANGED);
        part.keepFirst(first, 77);
        part.keepLater(later);

        RunLog next = RunLog.goOn(folder, CONDITIONS);

        assertEquals(List.of(first, later), next.all());
        assertEquals(later, next.later(JobKind.WORD_COUNT, CHANGED).orElseThrow());
        assertEquals(first, next.first(JobKind.WORD_COUNT).orElseThrow());
        assertEquals(77, next.memoBytes(JobKind.WORD_COUNT));
        assertTrue(next.first(JobKind.KNN).isEmpty());
        assertTrue(next.later(JobKind.WORD_COUNT, FIRST).isEmpty());
    }

    @Test
    void dropsALineThatWasCutOff() throws IOException {
        RunLog part = RunLog.begin(folder, CONDITIONS);
        part.keepLater(run(JobKind.WORD_COUNT, CHANGED));
        part.keepLater(run(JobKind.KNN, CHANGED));
        Path file = folder.resolve("runs.jsonl");
        String text = Files.readString(file);
        Files.writeString(file, text.substring(0, text.length() - 5));

        RunLog next = RunLog.goOn(folder, CONDITIONS);
        next.keepLater(run(JobKind.BIGRAMS, CHANGED));

        assertEquals(
                List.of(JobKind.WORD_COUNT, JobKind.BIGRAMS),
                RunLog.goOn(folder, CONDITIONS).all().stream()
                        .map(Comparison::kind)
                        .toList());
    }

    @Test
    void refusesRunsOfOtherConditions() throws IOException {
        RunLog.begin(folder, CONDITIONS).keepLater(run(JobKind.KNN, CHANGED));

        var refused = assertThrows(IllegalArgumentException.class, () -> RunLog.goOn(folder, "--bytes 2000"));

        assertTrue(refused.getMessage().contains(CONDITIONS), refused.getMessage());
    }

    @Test
    void namesADamagedLine() throws IOException {
        RunLog.begin(folder, CONDITIONS).keepLater(run(JobKind.KNN, CHANGED));
        Path file = folder.resolve("runs.jsonl");
        Files.writeString(file, Files.readString(file) + "{\"name\":\"nothing\"}\n");

        var refused = assertThrows(IOException.class, () -> RunLog.goOn(folder, CONDITIONS));

        assertTrue(refused.getMessage().contains("runs.jsonl, line 2"), refused.getMessage());
    }

    @Test
    void beginsAnew() throws IOException {
        RunLog.begin(folder, CONDITIONS).keepLater(run(JobKind.KNN, CHANGED));

        assertTrue(RunLog.begin(folder, CONDITIONS).all().isEmpty());
        assertTrue(RunLog.goOn(folder, CONDITIONS).all().isEmpty());
    }

    private static Comparison run(JobKind kind, Version version) {
        var plain = new Outcome(20, new Outcome.Work(15, 4, 1000, Map.of()), "abc");
        var incremental = new Outcome(5.5, new Outcome.Work(3, 2, 100, Map.of("CHUNKS_COMPUTED", 3L)), "abc");
        return new Comparison(kind, version, 1000, plain, incremental);
    }
}
