// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.catalogue;

import io.shredder.backup.agent.storage.Storage;
import io.shredder.backup.agent.storage.StoredFile;
import io.shredder.backup.protocol.SnapshotInfo;
import io.shredder.backup.protocol.SnapshotName;
import io.shredder.chunk.DamagedDataException;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
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

    /** As many problems are said at the start: a folder that is lost has one for each snapshot. */
    private static final int MAX_TOLD = 1000;

    private final Storage storage;
    private final PagePacks packs;
    private final Path file;
    private final UUID repository;
    private volatile CatalogueIndex index = new CatalogueIndex();

    /** What was wrong with recorded files at the start, by id. */
    private final Map<Long, String> problems = new ConcurrentSkipListMap<>();

    private final List<String> strangers = new CopyOnWriteArrayList<>();
    private volatile @Nullable String pastLost;
    private volatile @Nullable CatalogueLog log;
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
            state.tellProblems();
            return state;
        } catch (IOException | RuntimeException e) {
            state.close();
            throw e;
        }
    }

    private void tellProblems() {
        List<String> all = problems();
        all.stream().limit(MAX_TOLD).forEach(LOG::error);
        if (all.size() > MAX_TOLD) {
            LOG.error(
                    "and {} more like these: 'shredder-backup list' of each client names them", all.size() - MAX_TOLD);
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
                log = CatalogueLog.create(file, repository, begun -> {});
            } else {
                beginWithoutPast(files, FILE + " is missing", new TreeMap<>());
            }
        } catch (DamagedDataException e) {
            beginBesideDamage(files, e);
        }
    }

    private void replay(CatalogueRecord record, long at) {
        records++;
        if (record instanceof CatalogueRecord.Committed committed) {
            add(CatalogueEntry.of(committed, at));
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

    private void beginBesideDamage(Map<Long, StoredFile> files, DamagedDataException damage) throws IOException {
        Path aside = file.resolveSibling(FILE + ".damaged");
        try (OutputStream copy = Files.newOutputStream(aside)) {
            Files.copy(file, copy);
        }
        String reason = damage.getMessage() + " (kept as " + aside.getFileName() + ")";
        if (index.all().isEmpty()) {
            beginWithoutPast(files, reason, new TreeMap<>());
            return;
        }
        try (CatalogueReader before = CatalogueReader.open(file, repository)) {
            beginWithoutPast(files, reason, recorded(before::at));
        }
    }

    /** What the record said before its damage, and whatever else is there: nothing is given up without the operator's word. */
    private void beginWithoutPast(Map<Long, StoredFile> files, String reason, SortedMap<Long, Source> recorded)
            throws IOException {
        pastLost = reason;
        SortedMap<Long, Source> sources = found(files);
        sources.putAll(recorded);
        write(sources);
    }

    /** Reads what is to be recorded of a snapshot. */
    private interface Source {
        CatalogueRecord read() throws IOException;
    }

    /** Reads a record by where it is. */
    private interface RecordsAt {
        CatalogueRecord at(long offset) throws IOException;
    }

    /** What the snapshots' files say. */
    private SortedMap<Long, Source> found(Map<Long, StoredFile> files) {
        SortedMap<Long, Source> sources = new TreeMap<>();
        files.forEach((id, stored) -> sources.put(id, () -> SnapshotFiles.record(storage, stored, packs)));
        return sources;
    }

    /** What is recorded now. */
    private SortedMap<Long, Source> recorded(RecordsAt before) {
        SortedMap<Long, Source> sources = new TreeMap<>();
        index.all()
                .forEach((id, entry) -> sources.put(
                        id,
                        () -> entry.isDescribed()
                                ? before.at(entry.recordAt())
                                : new CatalogueRecord.Found(entry.namespace(), entry.name(), id)));
        return sources;
    }

    /** Writes the log anew, one record after another, so that they are not in memory together. */
    private void write(SortedMap<Long, Source> sources) throws IOException {
        CatalogueIndex after = new CatalogueIndex();
        CatalogueLog before = log;
        log = CatalogueLog.create(file, repository, begun -> {
            if (pastLost != null) {
                begun.write(new CatalogueRecord.PastLost(pastLost));
            }
            for (Source source : sources.values()) {
                CatalogueRecord record = source.read();
                after.add(entryOf(record, begun.write(record)));
            }
        });
        records = sources.size();
        index = after;
        after.all().keySet().forEach(id -> highestId = Math.max(highestId, id));
        if (before != null) {
            before.close();
        }
    }

    private static CatalogueEntry entryOf(CatalogueRecord record, long at) {
        if (record instanceof CatalogueRecord.Committed committed) {
            return CatalogueEntry.of(committed, at);
        } else if (record instanceof CatalogueRecord.Found found) {
            return CatalogueEntry.of(found);
        }
        throw new IllegalArgumentException("a record of type " + record.type() + " is no snapshot's");
    }

    private void shorten() throws IOException {
        if (records > 2 * index.all().size() + SPARE_RECORDS) {
            write(recorded(opened()::at));
        }
    }

    /** Names what is missing and what nobody recorded; ends what a crash interrupted. */
    private void compare(Map<Long, StoredFile> files) throws IOException {
        for (CatalogueEntry entry : index.all().values()) {
            StoredFile stored = files.get(entry.id());
            if (stored == null || !stored.name().equals(entry.file())) {
                problems.put(entry.id(), entry.file() + ": damaged at offset 0: the snapshot is missing");
            } else if (entry.isDescribed() && stored.bytes() != entry.fileBytes()) {
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
        strangers.addAll(unrecorded.stream()
                .map(stored -> stored.name()
                        + ": damaged at offset 0: nobody recorded that it was committed, or it was deleted; move it elsewhere, or "
                        + ACCEPT.substring(ACCEPT.indexOf("stop")))
                .toList());
    }

    /** A crash may have come between a snapshot's rename and its record: one, and the newest of all. */
    private boolean adopts(StoredFile stored) throws IOException {
        if (SnapshotFiles.record(storage, stored, packs) instanceof CatalogueRecord.Committed found
                && found.info().id()
                        > Math.max(highestId, HighestId.open(storage).value())) {
            LOG.info("{} was published before the agent died, and is recorded now", stored.name());
            committed(found);
            return true;
        }
        return false;
    }

    /** Records a snapshot whose file is in its place. */
    void committed(CatalogueRecord.Committed snapshot) throws IOException {
        add(CatalogueEntry.of(snapshot, append(snapshot)));
    }

    /** All that was recorded of a snapshot. */
    Optional<SnapshotInfo> info(CatalogueEntry entry) throws IOException {
        if (!entry.isDescribed()) {
            return Optional.empty();
        }
        CatalogueRecord record = opened().at(entry.recordAt());
        if (record instanceof CatalogueRecord.Committed committed
                && committed.info().id() == entry.id()) {
            return Optional.of(committed.info());
        }
        throw new DamagedDataException(FILE, entry.recordAt(), "this is not the record of snapshot " + entry.id());
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

    private long append(CatalogueRecord record) throws IOException {
        long at = opened().append(record);
        records++;
        return at;
    }

    private CatalogueLog opened() {
        CatalogueLog opened = log;
        if (opened == null) {
            throw new IllegalStateException("the catalogue is closed");
        }
        return opened;
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
            return entry.isDescribed() && storage.size(entry.file()) == entry.fileBytes();
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
        SortedMap<Long, Source> sources = found(SnapshotFiles.list(storage));
        pastLost = null;
        strangers.clear();
        problems.clear();
        write(sources);
    }

    @Override
    public void close() throws IOException {
        if (log != null) {
            log.close();
            log = null;
        }
    }
}
