// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.cli;

import io.shredder.backup.seal.Remarks;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.seal.SnapshotOpener;
import io.shredder.backup.seal.WrongKeyException;
import io.shredder.backup.snapshot.SnapshotInfo;
import java.io.IOException;

/** Opens the remarks on snapshots. */
final class RemarksOpener {

    private final RepositoryKey key;

    RemarksOpener(RepositoryKey key) {
        this.key = key;
    }

    /** The remarks; none to be seen on a snapshot of another key. */
    Remarks of(SnapshotInfo snapshot) throws IOException {
        try {
            return new SnapshotOpener(key, snapshot).summary().remarks();
        } catch (WrongKeyException e) {
            return Remarks.none();
        }
    }
}
