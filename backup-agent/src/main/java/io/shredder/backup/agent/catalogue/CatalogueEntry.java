// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.catalogue;

import com.google.common.base.Strings;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.snapshot.SnapshotName;
import java.time.Instant;
import java.util.Optional;

/**
 * A snapshot that there should be, by the record. All of them are in memory, so the rest of what the record says of it
 * stays there: {@link Catalogue#info}.
 *
 * @param namespace whose it is
 * @param name of its series
 * @param receivedMs when it was committed, in milliseconds since 1970
 * @param imageBytes length of its image; 0 if nobody knows
 * @param fileBytes length of its file
 * @param recordAt where in the record it is; 0 if its file could not be read when the record was begun: then neither
 *     time nor lengths are known
 */
public record CatalogueEntry(
        SnapshotName namespace,
        SnapshotName name,
        long id,
        long receivedMs,
        long imageBytes,
        long fileBytes,
        long recordAt) {

    /** As which the shortest image counts of a quota: its files have their length, too. */
    static final long LEAST_QUOTA_BYTES = 1 << 15;

    private static final int ID_DIGITS = 16;

    static CatalogueEntry of(CatalogueRecord.Committed committed, long at) {
        SnapshotInfo info = committed.info();
        return new CatalogueEntry(
                committed.namespace(),
                info.name(),
                info.id(),
                info.received().toEpochMilli(),
                info.imageBytes(),
                committed.fileBytes(),
                at);
    }

    static CatalogueEntry of(CatalogueRecord.Found found) {
        return new CatalogueEntry(found.namespace(), found.name(), found.id(), 0, 0, 0, 0);
    }

    /** The same with names that others have, too. */
    CatalogueEntry with(SnapshotName sameNamespace, SnapshotName sameName) {
        return new CatalogueEntry(sameNamespace, sameName, id, receivedMs, imageBytes, fileBytes, recordAt);
    }

    /** Whether the record says more of it than its name. */
    public boolean isDescribed() {
        return recordAt != 0;
    }

    /** When it was committed, if that is known. */
    public Optional<Instant> received() {
        return isDescribed() ? Optional.of(Instant.ofEpochMilli(receivedMs)) : Optional.empty();
    }

    /** As how long an image of this length counts of its namespace's quota. */
    public static long quotaBytes(long imageBytes) {
        return Math.max(imageBytes, LEAST_QUOTA_BYTES);
    }

    long quotaBytes() {
        return quotaBytes(imageBytes);
    }

    /** Name of its file in the storage. */
    public String file() {
        return Catalogue.FOLDER + "/" + namespace.value() + "/" + name.value() + "/"
                + Strings.padStart(Long.toString(id), ID_DIGITS, '0') + ".snapshot";
    }
}
