// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server;

import io.shredder.backup.client.AgentClient;
import io.shredder.backup.protocol.SnapshotInfo;
import io.shredder.backup.seal.Remarks;
import io.shredder.backup.seal.RepositoryKey;
import io.shredder.backup.seal.SnapshotOpener;
import io.shredder.backup.seal.WrongKeyException;
import java.io.IOException;
import java.util.List;

/** Opens the remarks on snapshots, and finds snapshots by them. */
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

    /** The latest snapshot of the series that has the tag; with an id, that one, which must have it. */
    SnapshotInfo find(AgentClient agent, SnapshotChoice choice, String tag) throws IOException {
        SnapshotInfo last = choice.find(agent);
        List<SnapshotInfo> series = choice.id().isPresent()
                ? List.of(last)
                : SnapshotChoice.listAll(agent).snapshots().stream()
                        .filter(snapshot -> snapshot.name().equals(choice.name()))
                        .toList();
        for (int i = series.size() - 1; i >= 0; i--) {
            if (of(series.get(i)).tags().contains(tag)) {
                return series.get(i);
            }
        }
        throw new IOException("no snapshot " + choice + " has the tag '" + tag
                + "': see 'shredder-backup list --repository-key FILE'");
    }
}
