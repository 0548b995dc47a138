// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.catalogue;

import io.shredder.backup.protocol.SnapshotInfo;
import io.shredder.backup.protocol.SnapshotName;
import java.util.Locale;
import java.util.Optional;

/**
 * A snapshot that there should be, by the record.
 *
 * @param namespace whose it is
 * @param name of its series
 * @param info as it was committed; absent if its file could not be read when the record was begun
 * @param fileBytes length of its file; 0 if {@code info} is absent
 */
public record CatalogueEntry(
        SnapshotName namespace, SnapshotName name, long id, Optional<SnapshotInfo> info, long fileBytes) {

    static CatalogueEntry of(CatalogueRecord.Committed committed) {
        SnapshotInfo info = committed.info();
        return new CatalogueEntry(
                committed.namespace(), info.name(), info.id(), Optional.of(info), committed.fileBytes());
    }

    static CatalogueEntry of(CatalogueRecord.Found found) {
        return new CatalogueEntry(found.namespace(), found.name(), found.id(), Optional.empty(), 0);
    }

    CatalogueRecord asRecord() {
        return info.isPresent()
                ? new CatalogueRecord.Committed(namespace, info.get(), fileBytes)
                : new CatalogueRecord.Found(namespace, name, id);
    }

    /** Name of its file in the storage. */
    public String file() {
        return String.format(
                Locale.ROOT, "%s/%s/%s/%016d.snapshot", Catalogue.FOLDER, namespace.value(), name.value(), id);
    }

    /** Length of its image; 0 if nobody knows. */
    public long imageBytes() {
        return info.map(SnapshotInfo::imageBytes).orElse(0L);
    }
}
