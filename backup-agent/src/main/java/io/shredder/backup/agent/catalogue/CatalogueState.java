// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.catalogue;

import io.shredder.backup.agent.storage.Storage;
import io.shredder.backup.agent.storage.StoredFile;
import io.shredder.backup.protocol.SnapshotName;
import io.shredder.chunk.DamagedDataException;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The record together with what the storage has, and where they disagree. Changed by one thread at a time, read by any number. */
final class CatalogueState implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(CatalogueState.class);

    private static final String FILE = "catalogue.log";
    private static final String ACCEPT =
            "put back what is missing, or stop the agent and run 'backup-agent accept-catalogue'";

    /** A record with so many more entries than snapshots is written anew, shorter. */
    private static final int SPARE_RECORDS = 512;

    private final Storage storage;
    private final PagePacks packs;
    private final Path file;
    private final UUID repository;
    private final CatalogueIndex index = new CatalogueIndex();

    /** What was wrong with recorded files at the start, by id. */
    private final Map<Long, String> problems = new ConcurrentSkipListMap<>();

    private final List<String> strangers = new CopyOnWriteArrayList<>();
    private volatile @Nullable String pastLost;
    private @Nullable CatalogueLog log;
    private Set<Long> lastDeleted = Set.of();
    private long highestId;
    private int records;

    private CatalogueState(Storage storage, Path file, UUID repository) {
        this.storage = storage;
        this.packs = new PagePacks(storage, repository);
        this.file = file;
        this.repository = repository;
    }

    static CatalogueState open(Storage storage, Path root, UUID repository, boolean isNew) throws IOException {
        CatalogueState state = new CatalogueState(storage, root.resolve(FILE), repository);
        try {
            Map<Long, StoredFile> files = SnapshotFiles.list(storage);
            state.openLog(files, isNew && files.isEmpty());
            state.compare(files);
            state.shorten();
            state.problems().forEach(LOG::error);
            return state;
        } catch (IOException | RuntimeException e) {
            state.close();
            throw e;
        }
    }

    CatalogueIndex index() {
        return index;
    }

    /** The highest id that the record names. */
    long highestId() {
        return highestId;
    }

    private void openLog(Map<Long, StoredFile> files, boolean isNew) throws IOException {
        try {
            log = CatalogueLog.open(file, repository, this::replay);
        } catch (NoSuchFileException e) {
            if (isNew) {
                log = CatalogueLog.create(file, repository, List.of());
            } else {
                beginWithoutPast(files, FILE + " is missing");
            }
        } catch (DamagedDataException e) {
            Path aside = file.resolveSibling(FILE + ".damaged");
            Files.write(aside, Files.readAllBytes(file));
            beginWithoutPast(files, e.getMessage() + " (kept as " + aside.getFileName() + ")");
        }
    }

    private void replay(CatalogueRecord record) {
        records++;
        if (record instanceof CatalogueRecord.Committed committed) {
            add(CatalogueEntry.of(committed));
        } else if (record instanceof CatalogueRecord.Found found) {
            add(CatalogueEntry.of(found));
        } else if (record instanceof CatalogueRecord.Deleted deleted) {
            deleted.ids().forEach(index::remove);
            lastDeleted = Set.copyOf(deleted.ids());
        } else if (record instanceof CatalogueRecord.PastLost lost) {
            pastLost = lost.reason();
        }
    }

    private void add(CatalogueEntry entry) {
        index.add(entry);
        highestId = Math.max(highestId, entry.id());
    }

    /** What the record said before its damage, and whatever else is there: nothing is given up without the operator's word. */
    private void beginWithoutPast(Map<Long, StoredFile> files, String reason) throws IOException {
        pastLost = reason;
        for (StoredFile stored : files.values()) {
            CatalogueEntry entry = SnapshotFiles.entry(storage, stored, packs);
            if (index.find(entry.id()).isEmpty()) {
                add(entry);
            }
        }
        write();
    }

    private void write() throws IOException {
        List<CatalogueRecord> all = new ArrayList<>();
        if (pastLost != null) {
            all.add(new CatalogueRecord.PastLost(pastLost));
        }
        index.all().values().forEach(entry -> all.add(entry.asRecord()));
        CatalogueLog before = log;
        log = CatalogueLog.create(file, repository, all);
        records = all.size();
        if (before != null) {
            before.close();
        }
    }

    private void shorten() throws IOException {
        if (records > 2 * index.all().size() + SPARE_RECORDS) {
            write();
        }
    }

    /** Names what is missing and what nobody recorded; ends what a crash interrupted. */
    private void compare(Map<Long, StoredFile> files) throws IOException {
        for (CatalogueEntry entry : index.all().values()) {
            StoredFile stored = files.get(entry.id());
            if (stored == null || !stored.name().equals(entry.file())) {
                problems.put(entry.id(), entry.file() + ": damaged at offset 0: the snapshot is missing");
            } else if (entry.info().isPresent() && stored.bytes() != entry.fileBytes()) {
                problems.put(
                        entry.id(),
                        entry.file() + ": damaged at offset " + Math.min(stored.bytes(), entry.fileBytes())
                                + ": it has " + stored.bytes() + " bytes, " + entry.fileBytes() + " were committed");
            }
        }
        List<StoredFile> unrecorded = new ArrayList<>();
        for (Map.Entry<Long, StoredFile> found : files.entrySet()) {
            boolean isRecorded = index.find(found.getKey()).isPresent();
            if (!isRecorded && lastDeleted.contains(found.getKey())) {
                if (!storage.isReadOnly()) {
                    storage.delete(found.getValue().name());
                }
            } else if (!isRecorded) {
                unrecorded.add(found.getValue());
            }
        }
        if (unrecorded.size() == 1 && adopts(unrecorded.get(0))) {
            return;
        }
        unrecorded.forEach(stored -> strangers.add(stored.name()
                + ": damaged at offset 0: nobody recorded that it was committed, or it was deleted; move it elsewhere, or "
                + ACCEPT.substring(ACCEPT.indexOf("stop"))));
    }

    /** A crash may have come between a snapshot's rename and its record: one, and the newest of all. */
    private boolean adopts(StoredFile stored) throws IOException {
        CatalogueEntry entry = SnapshotFiles.entry(storage, stored, packs);
        if (entry.id() <= Math.max(highestId, HighestId.open(storage).value())
                || entry.info().isEmpty()) {
            return false;
        }
        LOG.info("{} was published before the agent died, and is recorded now", stored.name());
        committed(entry);
        return true;
    }

    /** Records a snapshot whose file is in its place. */
    void committed(CatalogueEntry entry) throws IOException {
        append(entry.asRecord());
        add(entry);
    }

    /** Records deletions and deletes the files. */
    void deleted(List<Long> ids) throws IOException {
        for (int from = 0; from < ids.size(); from += CatalogueRecord.MAX_DELETED) {
            List<Long> some = ids.subList(from, Math.min(ids.size(), from + CatalogueRecord.MAX_DELETED));
            append(new CatalogueRecord.Deleted(List.copyOf(some)));
            for (long id : some) {
                Optional<CatalogueEntry> entry = index.find(id);
                if (entry.isPresent()) {
                    deleteIfThere(entry.get().file());
                    index.remove(id);
                    problems.remove(id);
                }
            }
        }
    }

    private void deleteIfThere(String name) throws IOException {
        try {
            storage.delete(name);
        } catch (NoSuchFileException e) {
            // Whoever took it did what was asked for.
            return;
        }
    }

    private void append(CatalogueRecord record) throws IOException {
        if (log == null) {
            throw new IllegalStateException("the catalogue is closed");
        }
        log.append(record);
        records++;
    }

    Optional<String> problem(CatalogueEntry entry) {
        if (problems.containsKey(entry.id()) && isWhole(entry)) {
            problems.remove(entry.id());
        }
        return Optional.ofNullable(problems.get(entry.id()));
    }

    /** Whoever put a file back need not start the agent again. */
    private void forgetMended() {
        problems.keySet()
                .removeIf(id -> index.find(id).filter(entry -> !isWhole(entry)).isEmpty());
    }

    private boolean isWhole(CatalogueEntry entry) {
        try {
            return entry.info().isPresent() && storage.size(entry.file()) == entry.fileBytes();
        } catch (IOException e) {
            return false;
        }
    }

    List<String> problems() {
        forgetMended();
        List<String> all = new ArrayList<>();
        if (pastLost != null) {
            all.add("the record of what was committed begins without its past, since " + pastLost
                    + ": see by 'shredder-backup list' of each client whether all is there; " + ACCEPT);
        }
        all.addAll(strangers);
        problems.values().forEach(all::add);
        return all;
    }

    Optional<String> whyNotDelete(SnapshotName namespace, List<Long> ids) {
        if (pastLost != null || !strangers.isEmpty()) {
            return Optional.of(problems().get(0));
        }
        forgetMended();
        Set<Long> going = new HashSet<>(ids);
        for (Map.Entry<Long, String> problem : problems.entrySet()) {
            Optional<CatalogueEntry> entry = index.find(problem.getKey());
            if (!going.contains(problem.getKey())
                    && entry.isPresent()
                    && entry.get().namespace().equals(namespace)) {
                return Optional.of(problem.getValue() + "; put the file back from a copy, or give that snapshot up by"
                        + " 'shredder-backup prune --id " + problem.getKey() + "'");
            }
        }
        return Optional.empty();
    }

    /** Forgets what was recorded for what is there. */
    void beginAnew() throws IOException {
        Map<Long, StoredFile> files = SnapshotFiles.list(storage);
        for (CatalogueEntry entry : List.copyOf(index.all().values())) {
            StoredFile stored = files.get(entry.id());
            if (stored == null || problems.containsKey(entry.id())) {
                index.remove(entry.id());
            }
        }
        for (StoredFile stored : files.values()) {
            CatalogueEntry entry = SnapshotFiles.entry(storage, stored, packs);
            if (index.find(entry.id()).filter(known -> known.equals(entry)).isEmpty()) {
                add(entry);
            }
        }
        pastLost = null;
        strangers.clear();
        problems.clear();
        write();
    }

    @Override
    public void close() throws IOException {
        if (log != null) {
            log.close();
            log = null;
        }
    }
}
