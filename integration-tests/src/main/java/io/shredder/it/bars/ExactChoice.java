// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.bars;

import io.shredder.it.exact.ExactPlan;
import java.util.List;
import picocli.CommandLine.Option;

/** How much of the search for differences to run. */
final class ExactChoice {
    /** No job of the search, but plain ones over uploaded and ordinary files, which are timed. */
    private static final String PLAIN_OVER_UPLOADS = "plain-over-uploads";

    private static final String SETS_UP_LONG = "set-up-table";

    private List<String> only = List.of();

    @Option(
            names = "--short",
            description = "exact: a fifth of the jobs, which one depends on the seed, once with one edit, on no YARN;"
                    + " trust: some hundred attempts instead of thousands")
    private boolean brief;

    @Option(
            names = "--seed",
            paramLabel = "N",
            description =
                    "exact: of the first scenario of each job, trust: of what is chosen at random, to repeat a finding or to try others (default: ${DEFAULT-VALUE})")
    private long seed = ExactPlan.BAR_SEED;

    @Option(
            names = "--workers",
            paramLabel = "N",
            description = "exact: processes side by side, of up to 2 GiB each (default: one a core, at least 2)")
    private int workers = Math.max(2, Runtime.getRuntime().availableProcessors());

    @Option(names = "--on", paramLabel = "WHERE", description = "exact: local or yarn alone (default: both)")
    private Where where = Where.BOTH;

    /** Where jobs run. */
    enum Where {
        LOCAL,
        YARN,
        BOTH
    }

    /** Names of jobs; none means all. */
    void choose(List<String> names) {
        only = names;
    }

    /** Words of {@code --only} that name no job. */
    List<String> unknown() {
        return jobs().stream().filter(word -> !ExactPlan.names().contains(word)).toList();
    }

    private List<String> jobs() {
        return only.stream().filter(word -> !word.equals(PLAIN_OVER_UPLOADS)).toList();
    }

    /** Whether jobs are run plainly and incrementally and compared. */
    boolean searches() {
        boolean none = plan().cases().isEmpty() && plan().yarnCases().isEmpty();
        return !none && (only.isEmpty() || !jobs().isEmpty());
    }

    /** Whether it is timed what a plain job over an upload takes. */
    boolean timesPlainJobs() {
        return !brief && (only.isEmpty() || only.contains(PLAIN_OVER_UPLOADS));
    }

    boolean isBrief() {
        return brief;
    }

    long seed() {
        return seed;
    }

    ExactPlan plan() {
        return switch (where) {
            case LOCAL -> everywhere().inClient();
            case YARN -> everywhere().onYarn();
            case BOTH -> everywhere();
        };
    }

    private ExactPlan everywhere() {
        if (!jobs().isEmpty()) {
            return ExactPlan.only(jobs()).from(seed).by(workers);
        }
        return brief ? ExactPlan.brief(seed) : ExactPlan.whole().from(seed).by(workers);
    }

    /** Whether it is timed what setting up costs: with the job that takes long to set up. */
    boolean timesSettingUp() {
        return !brief && (only.isEmpty() || only.contains(SETS_UP_LONG));
    }

    /** Whether all that the bars are for is run. */
    boolean isWhole() {
        return !brief && only.isEmpty() && where == Where.BOTH;
    }
}
