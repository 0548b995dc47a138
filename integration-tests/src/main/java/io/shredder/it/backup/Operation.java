// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.backup;

import java.util.Arrays;
import java.util.Locale;

/** What is done to a repository and measured, in the order in which it is done. */
public enum Operation {
    /** The first image, into an empty repository. */
    FIRST,
    /** The same image again, read whole. */
    UNCHANGED,
    /** The next version of the image. */
    CHANGED,
    /** The latest snapshot, to a file, in the way that is usual: of ours from an agent over TLS. */
    RESTORE,
    /** The same by a single process that opens the repository's folder itself. Others restore so anyway. */
    LOCAL_RESTORE,
    /** All data that the repository keeps, read and digested. */
    VERIFY,
    /** All snapshots but the latest deleted, and the space given back. */
    PRUNE;

    /** Whether it writes the latest snapshot to a file. */
    public boolean restores() {
        return this == RESTORE || this == LOCAL_RESTORE;
    }

    /** As on the command line. */
    public String title() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /**
     * The operation of a title.
     *
     * @throws IllegalArgumentException if there is none
     */
    public static Operation of(String title) {
        return Arrays.stream(values())
                .filter(operation -> operation.title().equals(title))
                .findFirst()
                .orElseThrow(() -> new IllegalArgumentException("no operation '" + title + "'; there are: "
                        + String.join(
                                ", ",
                                Arrays.stream(values()).map(Operation::title).toList())));
    }
}
