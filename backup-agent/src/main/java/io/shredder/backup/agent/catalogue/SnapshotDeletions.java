// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.catalogue;

import com.google.common.collect.Lists;
import io.shredder.backup.agent.storage.Storage;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Records that snapshots are deleted, and deletes their files. The last such record says what goes at the next start.
 * So each also names the snapshots that are <em>owed</em>: recorded as deleted before, while the storage failed to
 * delete their files. They are still listed, and go when they are deleted once more, or at the next start. One deletion
 * at a time.
 */
final class SnapshotDeletions {

    /** Leaves room in a record for as many that are owed. */
    private static final int MOST_AT_ONCE = CatalogueRecord.MAX_DELETED / 2;

    private final Storage storage;
    private final Supplier<CatalogueIndex> index;
    private final CatalogueProblems problems;
    private final CatalogueWrites.Log log;
    private final Set<Long> owed = new LinkedHashSet<>();

    /**
     * Begins when nothing is owed.
     *
     * @param index of what is there, as it is by now
     * @param log takes records, by any thread
     */
    SnapshotDeletions(
            Storage storage, Supplier<CatalogueIndex> index, CatalogueProblems problems, CatalogueWrites.Log log) {
        this.storage = storage;
        this.index = index;
        this.problems = problems;
        this.log = log;
    }

    /**
     * Deletes snapshots, one after another.
     *
     * @throws IOException if a record can't be written, or a file not be deleted; then those from there on are owed
     */
    void delete(List<Long> ids) throws IOException {
        for (List<Long> some : Lists.partition(ids, MOST_AT_ONCE)) {
            if (owed.size() > MOST_AT_ONCE) {
                deleteFiles(List.copyOf(owed)); // More have no room in a record.
            }
            Set<Long> named = new LinkedHashSet<>(owed);
            named.addAll(some);
            log.append(new CatalogueRecord.Deleted(List.copyOf(named)));
            owed.addAll(some);
            deleteFiles(some);
        }
    }

    private void deleteFiles(List<Long> ids) throws IOException {
        for (long id : ids) {
            Optional<CatalogueEntry> entry = index.get().find(id);
            if (entry.isPresent()) {
                deleteIfThere(entry.get().file());
                index.get().remove(id);
                problems.deleted(id);
            }
            owed.remove(id);
        }
    }

    /** Deletes a file; any thread. Whoever took it before did what was asked for. */
    void deleteIfThere(String name) throws IOException {
        try {
            storage.delete(name);
        } catch (NoSuchFileException e) {
            return;
        }
    }

    /** What is there is there for good: the record begins anew. */
    void forget() {
        owed.clear();
    }
}
