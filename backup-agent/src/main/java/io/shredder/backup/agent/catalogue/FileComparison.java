// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.catalogue;

import io.shredder.backup.agent.lists.PagePacks;
import io.shredder.backup.agent.storage.Storage;
import io.shredder.backup.agent.storage.StoredFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares what is recorded with the files that there are, when the record is opened:
 * {@code docs/formats/catalogue.md}, section 3. For one thread, once.
 */
final class FileComparison {

    private static final Logger LOG = LoggerFactory.getLogger(FileComparison.class);

    private final Storage storage;
    private final PagePacks packs;
    private final CatalogueIndex index;
    private final UnderWay underWay;
    private final CatalogueProblems problems;
    private final LongSupplier highestId;
    private final CatalogueWrites.Log log;

    /** @param highestId the highest id that the record names, with what was appended to it */
    FileComparison(
            Storage storage,
            PagePacks packs,
            CatalogueIndex index,
            UnderWay underWay,
            CatalogueProblems problems,
            LongSupplier highestId,
            CatalogueWrites.Log log) {
        this.storage = storage;
        this.packs = packs;
        this.index = index;
        this.underWay = underWay;
        this.problems = problems;
        this.highestId = highestId;
        this.log = log;
    }

    /** Names what is missing and what nobody recorded; ends what a crash interrupted. */
    void run() throws IOException {
        Map<Long, StoredFile> files = SnapshotFiles.list(storage, this::cameLate);
        compareRecorded(files);
        List<StoredFile> unrecorded = new ArrayList<>();
        for (Map.Entry<Long, StoredFile> found : files.entrySet()) {
            if (index.find(found.getKey()).isEmpty() && !ends(found.getKey(), found.getValue())) {
                unrecorded.add(found.getValue());
            }
        }
        if (underWay.isAnyPublished()) {
            log.append(new CatalogueRecord.Publishing(List.of()));
        }
        if (unrecorded.size() == 1 && isNewest(unrecorded.get(0)) && adopts(unrecorded.get(0))) {
            return;
        }
        unrecorded.forEach(stored -> problems.addStranger(stored.name()));
    }

    private void compareRecorded(Map<Long, StoredFile> files) {
        for (CatalogueEntry entry : index.all().values()) {
            StoredFile stored = files.get(entry.id());
            if (stored == null || !stored.name().equals(entry.file())) {
                problems.add(entry, 0, "the snapshot is missing");
            } else if (entry.isDescribed() && stored.bytes() != entry.fileBytes()) {
                problems.add(
                        entry,
                        Math.min(stored.bytes(), entry.fileBytes()),
                        "it has " + stored.bytes() + " bytes, " + entry.fileBytes() + " were committed");
            }
        }
    }

    /** Ends a deletion, or a publication, that a crash interrupted; whether it was one. */
    private boolean ends(long id, StoredFile stored) throws IOException {
        if (!underWay.isDeleted(id, stored.name())) {
            return underWay.isPublished(id) && adopts(stored);
        }
        if (!storage.isReadOnly()) {
            storage.delete(stored.name());
        }
        return true;
    }

    /** Whether a file is left as if it weren't there. */
    private boolean cameLate(long id, String file) throws IOException {
        boolean isRecorded =
                index.find(id).filter(entry -> entry.file().equals(file)).isPresent();
        boolean late = !isRecorded && !underWay.isDeleted(id, file) && underWay.isLate(storage, id, file);
        if (late) {
            LOG.warn(
                    "{} came late, from a process that had died, and nobody was told of it: it is left out, and may be"
                            + " deleted by hand",
                    file);
        }
        return late;
    }

    private boolean isNewest(StoredFile stored) throws IOException {
        return SnapshotFiles.record(storage, stored, packs) instanceof CatalogueRecord.Committed found
                && found.info().id()
                        > Math.max(
                                highestId.getAsLong(), HighestId.open(storage).value());
    }

    /** A crash may have come between a snapshot's rename and its record. */
    private boolean adopts(StoredFile stored) throws IOException {
        if (underWay.isOfLast(storage, stored.name())
                && SnapshotFiles.record(storage, stored, packs) instanceof CatalogueRecord.Committed found) {
            LOG.info("{} was published before the agent died, and is recorded now", stored.name());
            log.append(found);
            return true;
        }
        return false;
    }
}
