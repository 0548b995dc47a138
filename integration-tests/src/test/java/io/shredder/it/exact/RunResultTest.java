// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.exact;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class RunResultTest {
    private static final String COUNTERS =
            "Counters: 4\n\tMap-Reduce Framework\n\t\tMap input records=%s\n\tacme\n\t\tlines=%s\n"
                    + "\t\tempty=0\n\tIncoop\n\t\tCHUNKS_TOTAL=%s";

    @Test
    void runsWithTheSameFilesAndCountersOfTheirOwnAreEqual() {
        assertThat(RunResult.difference(run("a", 7, 0), run("a", 7, 12))).isEmpty();
    }

    @Test
    void aByteOfAPartFileIsADifference() {
        assertThat(RunResult.difference(run("ab", 7, 0), run("ac", 7, 0)))
                .hasValue("part-r-00000 differs at byte 1 (2 bytes, plainly 2)");
    }

    @Test
    void aFileMoreOrLessIsADifference() {
        assertThat(FolderFiles.difference(Map.of("a", new byte[1]), Map.of())).hasValue("a is missing");
        assertThat(FolderFiles.difference(Map.of(), Map.of("a", new byte[1]))).hasValue("a should not be there");
    }

    @Test
    void aCounterOfTheProgramsOwnIsADifferenceAndHadoopsIsNone() {
        assertThat(RunResult.difference(run("a", 7, 0), run("a", 8, 0))).hasValue("counter acme/lines is 8, plainly 7");
        assertThat(PrintedCounters.in(List.of(String.format(COUNTERS, 5, 7, 0))).users())
                .containsOnlyKeys("acme/lines");
    }

    @Test
    void aFailureOfOneAloneIsADifference() {
        RunResult failed = new RunResult(
                Optional.of("exit code 1"), new TreeMap<>(), new TreeMap<>(), PrintedCounters.in(List.of()), List.of());

        assertThat(RunResult.difference(run("a", 7, 0), failed)).hasValue("fails: exit code 1");
        assertThat(RunResult.difference(failed, run("a", 7, 0))).isPresent();
        assertThat(RunResult.difference(failed, failed)).isEmpty();
    }

    @Test
    void theReasonOfAPlainRunIsToldWithoutNamesOfTheRun() {
        RunResult run = new RunResult(
                Optional.empty(),
                new TreeMap<>(),
                new TreeMap<>(),
                PrintedCounters.in(List.of()),
                List.of("other", "incoop: the job runs plainly: no manifest of /in/a for job_17_0001"));

        assertThat(run.reason()).hasValue("no manifest of ... for ...");
    }

    private static RunResult run(String part, int lines, int chunks) {
        var output = new TreeMap<String, byte[]>();
        output.put("part-r-00000", part.getBytes(StandardCharsets.UTF_8));
        String printed = String.format(COUNTERS, lines + chunks, lines, chunks);
        return new RunResult(
                Optional.empty(), output, new TreeMap<>(), PrintedCounters.in(List.of(printed)), List.of(printed));
    }
}
