// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.trial;

import java.io.PrintStream;
import java.util.List;
import java.util.Locale;

/**
 * What came of a run.
 *
 * @param done attempts that were made
 * @param wanted attempts that should have been
 * @param failures a line for each that failed
 * @param figures what happened in them
 */
public record TrialOutcome(String name, long done, long wanted, double seconds, List<String> failures, String figures) {

    /** Whether all attempts were made and none failed. */
    public boolean passed() {
        return failures.isEmpty() && done >= wanted;
    }

    /** The attempts, their rate and what happened in them. */
    public String figure() {
        return String.format(
                Locale.ROOT,
                "%,d of %,d, %d failed, %.0f s (%.1f/s): %s",
                done,
                wanted,
                failures.size(),
                seconds,
                done / seconds,
                figures);
    }

    public String verdict() {
        return !failures.isEmpty() ? "FAIL" : done < wanted ? "not finished" : "pass";
    }

    /** Throws with all failures unless everything passed; for tests. */
    public void orThrow(PrintStream out) {
        out.println(name + ": " + figure());
        if (!passed()) {
            throw new AssertionError(name + ": " + figure() + "\n" + String.join("\n", failures));
        }
    }
}
