// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.catalogue;

import io.shredder.backup.agent.storage.Storage;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;

/**
 * What was under way when the record ends, and in which hold of the storage: it says what to make of files of snapshots
 * that nobody recorded ({@code docs/formats/catalogue.md}, section 3). For one thread.
 */
final class UnderWay {

    /** Of years: what came late stays there. */
    private static final int MOST_HOLDS = 4096;

    private final Storage storage;

    /** Names of files whose deletion may not have happened, by id. */
    private final Map<Long, String> deleted = new HashMap<>();

    /** Since the last hold began: files of these may come though their commits failed. */
    private final TreeSet<Long> withdrawn = new TreeSet<>();

    /** Files of these may have their names without a record. */
    private final Set<Long> publishing = new HashSet<>();

    /** The last one last; none where the storage doesn't tell. */
    private final Deque<CatalogueRecord.Held> holds = new ArrayDeque<>();

    /** @param storage of the files */
    UnderWay(Storage storage) {
        this.storage = storage;
    }

    /** A record follows those before. */
    void committed(long id) {
        publishing.remove(id);
    }

    /**
     * The same of a deletion, which stands for those before, or of a commit that failed.
     *
     * @param ids also those of deletions before whose files may still be there
     * @param files names of those of them that were recorded
     */
    void deleted(List<Long> ids, Map<Long, String> files) {
        Map<Long, String> going = new HashMap<>(files);
        for (long id : ids) {
            if (deleted.containsKey(id)) {
                going.put(id, deleted.get(id));
            } else if (!files.containsKey(id)) {
                withdrawn.add(id);
            }
        }
        if (!going.isEmpty()) {
            deleted.clear();
            deleted.putAll(going);
        }
    }

    /** The same of what is being published. */
    void publishing(List<Long> ids) {
        publishing.clear();
        publishing.addAll(ids);
    }

    /** The same of a hold of the storage that begins. */
    void held(CatalogueRecord.Held hold) {
        deleted.clear();
        withdrawn.clear();
        publishing.clear();
        holds.add(hold);
        if (holds.size() > MOST_HOLDS) {
            holds.remove();
        }
    }

    boolean isAnyPublished() {
        return !publishing.isEmpty();
    }

    boolean isPublished(long id) {
        return publishing.contains(id);
    }

    /** Whether a file that nobody recorded is one that the record says is to go. */
    boolean isDeleted(long id, String file) throws IOException {
        return file.equals(deleted.get(id)) || (withdrawn.contains(id) && isOfLast(file));
    }

    /**
     * Whether a file that nobody recorded came late: it is of a hold before the last, and was on its way when that
     * ended. One that was deleted, and is back, was not.
     */
    boolean isLate(long id, String file) throws IOException {
        if (storage.hold().isEmpty() || holds.size() < 2) {
            return false;
        }
        Optional<UUID> writer = storage.writer(file);
        Iterator<CatalogueRecord.Held> each = holds.iterator();
        CatalogueRecord.Held hold = each.next();
        while (each.hasNext()) {
            CatalogueRecord.Held next = each.next();
            if (writer.equals(Optional.of(hold.hold()))) {
                return next.mayFollow(id);
            }
            hold = next;
        }
        return false;
    }

    /** Whether whoever had the storage last may have died before it recorded this file. */
    boolean isOfLast(String file) throws IOException {
        return storage.hold().isEmpty()
                || holds.isEmpty()
                || storage.writer(file).equals(Optional.of(holds.getLast().hold()));
    }

    /**
     * Ids whose files may still come, ascending: they were being published, or withdrawn before they were there.
     *
     * @param arrived those that don't
     */
    List<Long> open(Set<Long> arrived) {
        Set<Long> open = new TreeSet<>(publishing);
        withdrawn.descendingSet().stream()
                .limit(CatalogueRecord.MAX_PUBLISHING - publishing.size())
                .forEach(open::add);
        open.removeAll(arrived);
        return List.copyOf(open);
    }

    /** What a record that is written anew must say. */
    List<CatalogueRecord.Held> holds() {
        return List.copyOf(holds);
    }
}
