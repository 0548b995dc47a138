// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.exact;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.chunk.LongTests;
import io.shredder.it.exact.Pair.Outcome;
import io.shredder.it.process.Children;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * The search on a real HDFS with word count and, by the day, a twentieth of all other jobs; a fifth with
 * {@code SHREDDER_LONG_TESTS=1}, as {@code ./run bars exact --short} has. The whole is {@code ./run bars exact}.
 */
class ExactHarnessIT {
    private static final int PARTS = LongTests.count("exact.parts", 20, 5);
    private static final Path TARGET = Path.of("target");

    private static final Children CHILDREN = new Children();
    private static ExactRun run;
    private static List<Pair> pairs;

    @BeforeAll
    static void search() throws Exception {
        run = new ExactRun(TARGET, TARGET.resolve("exact-harness"), CHILDREN, pair -> {});
        long seed = ExactPlan.BAR_SEED + LocalDate.now(ZoneOffset.UTC).toEpochDay();
        System.out.println("seed " + seed);
        pairs = run.play(ExactPlan.part(seed, PARTS));
    }

    @AfterAll
    static void stop() {
        CHILDREN.close();
    }

    @Test
    void noJobButThoseKnownGivesAnotherResultIncrementally() {
        Set<String> known = known();
        assertThat(pairs.stream()
                        .filter(pair -> pair.outcome().isBad() && !known.contains(pair.job()))
                        .map(ExactReport::line))
                .isEmpty();
    }

    @Test
    void everyScenarioComesToItsEndAndProvesSomething() {
        assertThat(run.broken()).isEmpty();
        assertThat(pairs.stream()
                        .filter(pair -> pair.outcome() == Outcome.NOT_COMPARABLE
                                || pair.outcome() == Outcome.BOTH_FAILED && !ExactReport.mustFail(pair.job()))
                        .map(ExactReport::line))
                .isEmpty();
    }

    @Test
    void theStockWordCountReusesAllThatHasNotChanged() {
        Pair again = pairs.stream()
                .filter(pair -> pair.job().equals("wordcount") && pair.step().equals("again"))
                .findFirst()
                .orElseThrow();

        assertThat(again.outcome()).isEqualTo(Outcome.INCREMENTAL);
        assertThat(again.reused()).isGreaterThan(5);
        assertThat(again.computed()).isZero();
    }

    /** Jobs that are known to give other results; the list is to become empty. */
    private static Set<String> known() {
        try (InputStream in =
                Objects.requireNonNull(ExactHarnessIT.class.getResourceAsStream("known-differences.txt"))) {
            return Arrays.stream(new String(in.readAllBytes(), StandardCharsets.UTF_8).split("\n"))
                    .filter(line -> !line.startsWith("#"))
                    .collect(Collectors.toSet());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
