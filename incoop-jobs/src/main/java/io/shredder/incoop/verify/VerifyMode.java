// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.verify;

import java.util.Locale;

/**
 * What incremental jobs are compared with.
 *
 * @param kind what runs beside the job
 * @param fraction of the reused chunks that are computed again, 0 to 1; for {@link Kind#SAMPLE}
 * @param seed picks them; for {@link Kind#SAMPLE}
 */
public record VerifyMode(Kind kind, double fraction, long seed) {

    /** The kinds of comparison. */
    public enum Kind {
        /** The same job, run plainly. */
        FULL,
        /** The same job, incremental, with an empty memo store. */
        COLD,
        /** Some reused chunks, mapped again by the job itself. */
        SAMPLE
    }

    public VerifyMode {
        if (!(fraction >= 0 && fraction <= 1)) {
            throw new IllegalArgumentException(fraction + " is no fraction: give a number from 0 to 1, such as 0.1");
        }
    }

    /** As the value of a system property. */
    String encode() {
        return kind.name().toLowerCase(Locale.ROOT) + ":" + fraction + ":" + seed;
    }

    static VerifyMode decode(String text) {
        String[] parts = text.split(":", -1);
        return new VerifyMode(
                Kind.valueOf(parts[0].toUpperCase(Locale.ROOT)),
                Double.parseDouble(parts[1]),
                Long.parseLong(parts[2]));
    }
}
