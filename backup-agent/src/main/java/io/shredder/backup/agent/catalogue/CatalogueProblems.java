// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.catalogue;

import io.shredder.backup.agent.storage.Storage;
import io.shredder.backup.snapshot.SnapshotName;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Where the record and what the storage has disagree. Safe for any number of threads. */
final class CatalogueProblems {

    private static final String STOP = "stop the agent and run 'backup-agent accept-catalogue'";
    private static final String ACCEPT = "put back what is missing, or " + STOP;

    private final Storage storage;
    private final Supplier<CatalogueIndex> index;

    /** What was wrong with recorded files at the start, by id. */
    private final Map<Long, String> files = new ConcurrentSkipListMap<>();

    private final CopyOnWriteArrayList<String> strangers = new CopyOnWriteArrayList<>();
    private volatile @Nullable String pastLost;

    CatalogueProblems(Storage storage, Supplier<CatalogueIndex> index) {
        this.storage = storage;
        this.index = index;
    }

    /** A recorded file is not as it was recorded. */
    void add(CatalogueEntry entry, long offset, String problem) {
        files.put(entry.id(), entry.file() + ": damaged at offset " + offset + ": " + problem);
    }

    /** A file is there that nobody recorded. */
    void addStranger(String file) {
        strangers.addIfAbsent(file
                + ": damaged at offset 0: nobody recorded that it was committed, or it was deleted; move it elsewhere, or "
                + STOP);
    }

    /** Nobody knows what was recorded before. */
    void lostPast(String reason) {
        pastLost = reason;
    }

    Optional<String> pastLost() {
        return Optional.ofNullable(pastLost);
    }

    /** Whatever was wrong with it is no matter any more. */
    void deleted(long id) {
        files.remove(id);
    }

    void clear() {
        pastLost = null;
        strangers.clear();
        files.clear();
    }

    Optional<String> of(CatalogueEntry entry) {
        if (files.containsKey(entry.id()) && isWhole(entry)) {
            files.remove(entry.id());
        }
        return Optional.ofNullable(files.get(entry.id()));
    }

    /** The same as far as it is known, without a look at the file. */
    Optional<String> known(CatalogueEntry entry) {
        return Optional.ofNullable(files.get(entry.id()));
    }

    /** Whoever put a file back need not start the agent again. */
    private void forgetMended() {
        files.keySet()
                .removeIf(id ->
                        index.get().find(id).filter(entry -> !isWhole(entry)).isEmpty());
    }

    private boolean isWhole(CatalogueEntry entry) {
        try {
            return entry.isDescribed() && storage.size(entry.file()) == entry.fileBytes();
        } catch (IOException e) {
            return false;
        }
    }

    /** A line each. */
    List<String> all() {
        forgetMended();
        List<String> all = new ArrayList<>();
        if (pastLost != null) {
            all.add("the record of what was committed begins without its past, since " + pastLost
                    + ": see by 'shredder-backup list' of each client whether all is there; " + ACCEPT);
        }
        all.addAll(strangers);
        files.values().forEach(all::add);
        return all;
    }

    /** Why these may not be deleted, if so. */
    Optional<String> whyNotDelete(SnapshotName namespace, List<Long> ids) {
        if (pastLost != null || !strangers.isEmpty()) {
            return Optional.of(all().get(0));
        }
        forgetMended();
        Set<Long> going = new HashSet<>(ids);
        for (Map.Entry<Long, String> problem : files.entrySet()) {
            Optional<CatalogueEntry> entry = index.get().find(problem.getKey());
            if (!going.contains(problem.getKey())
                    && entry.isPresent()
                    && entry.get().namespace().equals(namespace)) {
                return Optional.of(problem.getValue() + "; put the file back from a copy, or give that snapshot up by"
                        + " 'shredder-backup prune --id " + problem.getKey() + "'");
            }
        }
        return Optional.empty();
    }
}
