// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bars;

import io.shredder.it.exact.ExactPlan;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** How much of the search for differences to run. */
final class ExactChoice {
    private List<String> only = List.of();

    @Option(names = "--short", description = "exact: every job once with one edit, on no YARN")
    private boolean brief;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description = "exact: of the first scenario of each job, to repeat a finding or to try others")
    private @Nullable Long seed;

    /** Names of jobs; none means all. */
    void choose(List<String> names) {
        only = names;
    }

    /** Words of {@code --only} that name no job. */
    List<String> unknown() {
        return only.stream().filter(word -> !ExactPlan.names().contains(word)).toList();
    }

    ExactPlan plan() {
        ExactPlan plan = (brief ? ExactPlan.brief() : ExactPlan.whole()).only(only);
        return seed == null ? plan : plan.from(seed);
    }

    /** Whether all that the bars are for is run. */
    boolean isWhole() {
        return !brief && only.isEmpty();
    }
}
