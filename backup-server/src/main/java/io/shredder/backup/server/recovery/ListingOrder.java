// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.recovery;

import io.shredder.backup.snapshot.SnapshotName;
import java.util.Optional;

/**
 * Of which files a person wants to know.
 *
 * @param person by the certificate
 * @param image series of the snapshot
 * @param snapshot its id
 * @param path of a folder or file, or with {@code *}, {@code ?} and {@code [..]} in its names; empty for file systems
 */
public record ListingOrder(String person, SnapshotName image, long snapshot, Optional<String> path) {

    private static final int MOST_PATH = 1_000;

    /** Refuses a path that no line of the history can hold, or that is more than one. */
    public ListingOrder {
        path.ifPresent(text -> {
            if (text.isEmpty() || text.length() > MOST_PATH || text.chars().anyMatch(Character::isISOControl)) {
                throw new IllegalArgumentException("'path' is empty, longer than " + MOST_PATH
                        + " characters or has some that are none: give one such as /etc or sda1:/etc");
            }
        });
    }
}
