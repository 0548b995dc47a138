// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.access;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/**
 * What a client may do in its namespace. Listing snapshots and statistics need any one of them, but for those that
 * {@linkplain #standsAlone stand alone}.
 */
public enum Right {
    /** Look up and put chunks, commit snapshots. */
    APPEND,
    /** Read snapshots and chunks, have them verified. */
    RESTORE,
    /** Delete snapshots of the namespace, collect garbage. */
    PRUNE,
    /** Confirm deletions that another client asked for. */
    CONFIRM,
    /** Hold a keeper of a store that is spread over several, and keep its files there: nothing at an agent. */
    KEEP,
    /** Use a worker that {@code backup-agent lend} stands before: nothing at an agent. */
    BORROW;

    /** Whether it is one of another daemon's, and goes with no other right. */
    public boolean standsAlone() {
        return this == KEEP || this == BORROW;
    }

    /** Its name in the file and in messages. */
    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    static Optional<Right> parse(String word) {
        return Arrays.stream(values())
                .filter(right -> right.word().equals(word))
                .findFirst();
    }
}
