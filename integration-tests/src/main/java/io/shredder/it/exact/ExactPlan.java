// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.exact;

import io.shredder.it.exact.Lab.Framework;
import io.shredder.it.exact.cases.AllCases;
import io.shredder.it.exact.cases.JobCase;
import io.shredder.it.exact.cases.JobCase.Trait;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.LongStream;

/**
 * How much is run.
 *
 * @param cases names of those to play
 * @param seed of the first scenario of each; the next ones count up
 * @param scenarios of each case
 * @param edits of the input in each scenario
 * @param workers processes that play side by side
 * @param yarnCases names of those to play once more on YARN, with one scenario
 * @param yarnEdits of the input there
 */
public record ExactPlan(
        List<String> cases, long seed, int scenarios, int edits, int workers, List<String> yarnCases, int yarnEdits) {

    /** The bars' seed. */
    public static final long BAR_SEED = 20_261_124;

    private static final int FIFTHS = 5;

    /** The bars' size. */
    public static ExactPlan whole() {
        return new ExactPlan(localCases(), BAR_SEED, 1, InputEdit.values().length, 2, yarnOnes(), 1);
    }

    /**
     * A few minutes' worth: the first case and a fifth of the others, which one depends on the seed; each once, with
     * one edit; none on YARN.
     */
    public static ExactPlan brief(long seed) {
        return part(seed, FIFTHS);
    }

    /** The same with one of so many parts of the cases. */
    public static ExactPlan part(long seed, int parts) {
        List<String> all = localCases();
        List<String> some = IntStream.range(0, all.size())
                .filter(i -> i == 0 || i % parts == Math.floorMod(seed, parts))
                .mapToObj(all::get)
                .toList();
        return new ExactPlan(some, seed, 1, 1, 2, List.of(), 0);
    }

    /** Some cases alone, as the whole has them. */
    public static ExactPlan only(List<String> names) {
        ExactPlan whole = whole();
        return new ExactPlan(
                whole.cases.stream().filter(names::contains).toList(),
                whole.seed,
                1,
                whole.edits,
                whole.workers,
                whole.yarnCases.stream().filter(names::contains).toList(),
                whole.yarnEdits);
    }

    /** The same from another seed on. */
    public ExactPlan from(long otherSeed) {
        return new ExactPlan(cases, otherSeed, scenarios, edits, workers, yarnCases, yarnEdits);
    }

    /** What of it runs on YARN. */
    public ExactPlan onYarn() {
        return new ExactPlan(List.of(), seed, scenarios, edits, workers, yarnCases, yarnEdits);
    }

    /** What of it runs in the client's process. */
    public ExactPlan inClient() {
        return new ExactPlan(cases, seed, scenarios, edits, workers, List.of(), yarnEdits);
    }

    /** The same by another number of processes. */
    public ExactPlan by(int otherWorkers) {
        return new ExactPlan(cases, seed, scenarios, edits, otherWorkers, yarnCases, yarnEdits);
    }

    List<Long> seeds() {
        return LongStream.range(seed, seed + scenarios).boxed().toList();
    }

    /** Names of all cases. */
    public static List<String> names() {
        return AllCases.cases().stream().map(JobCase::name).toList();
    }

    private static List<String> localCases() {
        return AllCases.cases().stream()
                .filter(job -> !job.is(Trait.YARN_ONLY))
                .map(JobCase::name)
                .toList();
    }

    private static List<String> yarnOnes() {
        return AllCases.cases().stream()
                .filter(job -> job.is(Trait.YARN_ONLY) || job.is(Trait.ALSO_ON_YARN))
                .map(JobCase::name)
                .toList();
    }

    boolean needsYarn() {
        return !yarnCases.isEmpty();
    }

    /** One process's share. */
    record Share(Framework framework, List<String> cases, List<Long> seeds, int edits) {}
}
