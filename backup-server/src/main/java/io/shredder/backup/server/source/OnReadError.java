// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.source;

import java.util.Arrays;
import java.util.Locale;

/** What becomes of a backup when bytes of its image can't be read. */
public enum OnReadError {
    /** It fails and names them. */
    FAIL,
    /** Zeros take their place, and the snapshot says so. */
    SKIP;

    /**
     * Reads a name.
     *
     * @throws IllegalArgumentException listing the names
     */
    public static OnReadError parse(String text) {
        return Arrays.stream(values())
                .filter(value -> value.name().toLowerCase(Locale.ROOT).equals(text))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("'" + text + "' is neither fail nor skip"));
    }
}
