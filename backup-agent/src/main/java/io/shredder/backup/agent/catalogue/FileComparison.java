// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.catalogue;

import io.shredder.backup.agent.lists.PagePacks;
import io.shredder.backup.agent.storage.Storage;
import io.shredder.backup.agent.storage.StoredFile;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Compares what is recorded with the files that there are, when the record is opened:
 * {@code docs/formats/catalogue.md}, section 3. For one thread, once.
 */
final class FileComparison {

    private static final Logger LOG = LoggerFactory.getLogger(FileComparison.class);

    /** No id that is as far above the others was ever given out. */
    private static final long MOST_AHEAD = 1 << 20;

    private final Storage storage;
    private final PagePacks packs;
    private final CatalogueIndex index;
    private final UnderWay underWay;
    private final CatalogueProblems problems;
    private final LongSupplier highestId;
    private final CatalogueWrites.Log log;
    private long highestListed;

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

    /**
     * Names what is missing and what nobody recorded; ends what a crash interrupted.
     *
     * @return the ids of what nobody recorded
     */
    Set<Long> run() throws IOException {
        Map<Long, StoredFile> files = files();
        compareRecorded(files);
        List<StoredFile> unrecorded = new ArrayList<>();
        for (Map.Entry<Long, StoredFile> found : files.entrySet()) {
            if (index.find(found.getKey()).isEmpty() && !ends(found.getKey(), found.getValue())) {
                unrecorded.add(found.getValue());
            }
        }
        if (underWay.isAnyPublished() && storage.hold().isEmpty()) { // Else a record of the hold says so.
            log.append(new CatalogueRecord.Publishing(List.of()));
        }
        if (unrecorded.size() == 1 && isNewest(unrecorded.get(0)) && adopts(unrecorded.get(0))) {
            return Set.of();
        }
        Set<Long> strangers = new HashSet<>();
        for (StoredFile stored : unrecorded) {
            problems.addStranger(stored.name());
            strangers.add(SnapshotFiles.id(stored.name()));
        }
        return strangers;
    }

    /** The files that count, by id. One that has another's id is named. */
    Map<Long, StoredFile> files() throws IOException {
        return SnapshotFiles.list(storage, this::leavesOut);
    }

    /** Whether a file is left as if it weren't there. */
    private boolean leavesOut(long id, String file) throws IOException {
        highestListed = Math.max(highestListed, id);
        Optional<CatalogueEntry> recorded = index.find(id);
        if (recorded.filter(entry -> entry.file().equals(file)).isPresent() || underWay.isDeleted(id, file)) {
            return false;
        }
        if (underWay.isLate(id, file)) {
            LOG.warn(
                    "{} came late, from a process that had died, and nobody was told of it: it is left out, and may be"
                            + " deleted by hand",
                    file);
            return true;
        }
        recorded.ifPresent(other -> problems.addStranger(file));
        return recorded.isPresent();
    }

    /** The highest id that is known after {@link #run}: of what is recorded, or there. */
    long highestId() {
        long recorded = highestId.getAsLong();
        return highestListed - recorded <= MOST_AHEAD ? Math.max(recorded, highestListed) : recorded;
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

    private boolean isNewest(StoredFile stored) throws IOException {
        return SnapshotFiles.record(storage, stored, packs) instanceof CatalogueRecord.Committed found
                && found.info().id()
                        > Math.max(
                                highestId.getAsLong(), HighestId.open(storage).value());
    }

    /** A crash may have come between a snapshot's rename and its record. */
    private boolean adopts(StoredFile stored) throws IOException {
        if (underWay.isOfLast(stored.name())
                && SnapshotFiles.record(storage, stored, packs) instanceof CatalogueRecord.Committed found) {
            LOG.info("{} was published before the agent died, and is recorded now", stored.name());
            log.append(found);
            underWay.committed(found.info().id());
            return true;
        }
        return false;
    }
}
