// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.trial;

import java.nio.file.Path;
import java.time.Duration;

/**
 * How often, how long and where.
 *
 * @param count attempts
 * @param first number of the first attempt, to repeat one
 * @param workers threads that share them
 * @param budget after which no attempt begins
 * @param seed of the whole run; each attempt's is made of it and of the attempt's number
 * @param folder workers' folders are made in it
 */
public record TrialSettings(long count, long first, int workers, Duration budget, long seed, Path folder) {

    /** For a run of tests: a seed of this moment or -Dseed=N, which is printed. */
    public static TrialSettings ofTest(long count, int workers, Path folder) {
        long seed = Long.getLong("seed", System.nanoTime());
        System.out.println("seed " + seed + " (again with -Dseed=" + seed + ")");
        return new TrialSettings(count, 0, workers, Duration.ofMinutes(20), seed, folder);
    }
}
