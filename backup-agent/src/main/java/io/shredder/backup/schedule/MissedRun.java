// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.schedule;

import java.util.Arrays;
import java.util.Locale;

/** What becomes of times that passed while the daemon was down or the job still ran. */
public enum MissedRun {
    /** The job runs once, at once, however many there were. */
    RUN,
    /** It waits for its next time. */
    SKIP;

    /**
     * Reads a name.
     *
     * @throws IllegalArgumentException listing the names
     */
    public static MissedRun parse(String text) {
        return Arrays.stream(values())
                .filter(policy -> policy.name().toLowerCase(Locale.ROOT).equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException(
                        "'" + text + "' is not what to do with a missed run:" + " use run or skip"));
    }
}
