// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.session;

import io.shredder.backup.agent.catalogue.Catalogue;
import io.shredder.backup.agent.catalogue.CatalogueEntry;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.wire.Answer;
import io.shredder.backup.wire.WireFormat;
import io.shredder.chunk.DamagedDataException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;

/** What an agent tells of snapshots. */
final class SnapshotListing {

    private final Catalogue catalogue;

    SnapshotListing(Catalogue catalogue) {
        this.catalogue = catalogue;
    }

    /** As many of these as one answer has. */
    Answer answer(SortedMap<Long, CatalogueEntry> entries) throws IOException {
        List<SnapshotInfo> snapshots = new ArrayList<>();
        List<String> damaged = new ArrayList<>();
        for (CatalogueEntry entry : entries.values()) {
            if (snapshots.size() + damaged.size() == WireFormat.MAX_SNAPSHOTS_PAGE) {
                return new Answer.Snapshots(snapshots, damaged, entry.id() - 1);
            }
            Optional<String> problem = catalogue.problem(entry);
            if (problem.isPresent()) {
                damaged.add(problem.get());
            } else {
                add(entry, snapshots, damaged);
            }
        }
        return new Answer.Snapshots(snapshots, damaged, 0);
    }

    private void add(CatalogueEntry entry, List<SnapshotInfo> snapshots, List<String> damaged) throws IOException {
        try {
            catalogue
                    .info(entry)
                    .ifPresentOrElse(
                            snapshots::add,
                            () -> damaged.add(entry.file() + ": could not be read when the record was begun"));
        } catch (DamagedDataException e) {
            damaged.add(entry.file() + ": what was recorded of it can't be read: " + e.getMessage());
        }
    }
}
