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
    /** The latest snapshot, to a file. */
    RESTORE,
    /** All data that the repository keeps, read and digested. */
    VERIFY,
    /** All snapshots but the latest deleted, and the space given back. */
    PRUNE;

    /** As on the command line. */
    public String title() {
        return name().toLowerCase(Locale.ROOT);
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
