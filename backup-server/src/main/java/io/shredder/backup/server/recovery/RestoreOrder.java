// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.recovery;

import io.shredder.backup.snapshot.SnapshotName;

/**
 * What a person wants restored.
 *
 * @param person by the certificate
 * @param image series of the snapshot
 * @param snapshot its id
 * @param to name of a new file
 */
public record RestoreOrder(String person, SnapshotName image, long snapshot, String to) {

    /** Refuses a name that is none. */
    public RestoreOrder {
        RestoreFolder.checkedName(to);
    }
}
