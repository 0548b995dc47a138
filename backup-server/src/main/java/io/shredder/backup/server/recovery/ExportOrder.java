// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.recovery;

import io.shredder.backup.snapshot.SnapshotName;

/**
 * What a person wants opened.
 *
 * @param person by the certificate
 * @param image series of the snapshot
 * @param snapshot its id
 * @param hours after which it closes by itself
 */
public record ExportOrder(String person, SnapshotName image, long snapshot, int hours) {

    private static final int MOST_HOURS = 24;

    /** Refuses other hours. */
    public ExportOrder {
        if (hours < 1 || hours > MOST_HOURS) {
            throw new IllegalArgumentException(
                    "'hours' is '" + hours + "': give a number from 1 to " + MOST_HOURS + ", after which it closes");
        }
    }
}
