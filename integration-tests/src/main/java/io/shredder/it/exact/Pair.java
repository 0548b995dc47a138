// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.exact;

/**
 * One plain run and one incremental run of the same thing.
 *
 * @param job the case's name
 * @param seed of its scenario
 * @param step what happened before the pair
 * @param outcome what came of it
 * @param detail how the two differ, or why the incremental one ran plainly
 * @param reused chunks, or splits of a job without reducers, whose map did not run
 * @param computed those whose map ran
 * @param settings of both runs
 */
public record Pair(
        String job,
        long seed,
        String step,
        Outcome outcome,
        String detail,
        long reused,
        long computed,
        String settings) {

    /** What came of a pair. */
    public enum Outcome {
        /** Equal, and the job was incremental. */
        INCREMENTAL,
        /** Equal, and the job ran plainly and said why. */
        PLAIN,
        /** Equal, and the job ran plainly without a word. */
        PLAIN_WITHOUT_REASON,
        /** Both failed. */
        BOTH_FAILED,
        /** Not equal, and nobody would know. */
        SILENT_DIFFERENCE,
        /** The incremental run failed, the plain one did not. */
        FAILS_ONLY_INCREMENTALLY,
        /** The plain run is not like an earlier one of the same thing, so nothing can be said. */
        NOT_COMPARABLE;

        /** Whether the promise was broken. */
        public boolean isBad() {
            return this == SILENT_DIFFERENCE || this == FAILS_ONLY_INCREMENTALLY;
        }
    }
}
