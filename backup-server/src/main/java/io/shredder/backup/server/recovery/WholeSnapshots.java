// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.recovery;

import io.shredder.backup.seal.Remarks;
import io.shredder.backup.server.text.SnapshotText;
import io.shredder.backup.server.trust.ProvedSnapshot;
import java.io.IOException;

/** Snapshots in which no zeros stand for what could not be read: all others want somebody who says that he knows. */
final class WholeSnapshots {

    private WholeSnapshots() {}

    static void check(ProvedSnapshot proved) throws IOException {
        Remarks remarks = proved.summary().remarks();
        if (!remarks.skipped().isEmpty()) {
            throw new IOException(SnapshotText.name(proved.info()) + " has zeros in place of " + remarks.skippedBytes()
                    + " bytes that could not be read when it was made: choose another snapshot, or say"
                    + " 'shredder-backup' with --accept-skipped");
        }
    }
}
