// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.catalogue;

import io.shredder.backup.agent.lists.PagePacks;
import io.shredder.backup.agent.storage.Storage;
import io.shredder.backup.agent.storage.StoredFile;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.chunk.DamagedDataException;
import java.io.Closeable;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The record together with what the storage has, and where they disagree. Opened by one thread, then safe for any
 * number; deletions one at a time.
 */
final class CatalogueState implements Closeable {

    private static final Logger LOG = LoggerFactory.getLogger(CatalogueState.class);

    private static final String FILE = "catalogue.log";
    /** A record with so many more entries than snapshots is written anew, shorter. */
    private static final int SPARE_RECORDS = 512;

    /** As many problems are said at the start: a folder that is lost has one for each snapshot. */
    private static final int MAX_TOLD = 1000;

    private final Storage storage;
    private final PagePacks packs;
    private final Path file;
    private final UUID repository;
    private volatile CatalogueIndex index = new CatalogueIndex();

    private final CatalogueProblems problems;
    private volatile @Nullable CatalogueLog log;
    private final UnderWay underWay;
    private final SnapshotDeletions deletions;
    private volatile long highestId;
    private volatile long highestThere;
    private int records;
    private @Nullable CatalogueWrites writes;

    private CatalogueState(Storage storage, Path file, UUID repository) {
        this.storage = storage;
        this.packs = new PagePacks(storage, repository);
        this.file = file;
        this.repository = repository;
        this.problems = new CatalogueProblems(storage, this::index);
        this.underWay = new UnderWay(storage);
        this.deletions = new SnapshotDeletions(storage, this::index, problems, record -> writes().append(record));
    }

    static CatalogueState open(Storage storage, Path root, UUID repository, boolean isNew) throws IOException {
        CatalogueState state = new CatalogueState(storage, root.resolve(FILE), repository);
        try {
            state.openLog(isNew);
            state.noteHold(state.compareFiles());
            state.shorten();
            state.tellProblems();
            state.writes = new CatalogueWrites(
                    state::append,
                    Math.max(state.highestId, HighestId.open(storage).value()));
            return state;
        } catch (IOException | RuntimeException e) {
            state.close();
            throw e;
        }
    }

    /** Returns the ids of what is there and nobody recorded. */
    private Set<Long> compareFiles() throws IOException {
        FileComparison comparison = comparison();
        Set<Long> strangers = comparison.run();
        highestThere = comparison.highestId();
        return strangers;
    }

    private FileComparison comparison() {
        return new FileComparison(storage, packs, index, underWay, problems, () -> highestId, this::append);
    }

    private void tellProblems() {
        List<String> all = problems.all();
        all.stream().limit(MAX_TOLD).forEach(LOG::error);
        if (all.size() > MAX_TOLD) {
            LOG.error(
                    "and {} more like these: 'shredder-backup list' of each client names them", all.size() - MAX_TOLD);
        }
    }

    CatalogueIndex index() {
        return index;
    }

    /** The highest id that the record names, or that was there at the start: none of these is given out again. */
    long highestId() {
        return Math.max(highestId, highestThere);
    }

    private void openLog(boolean isNew) throws IOException {
        try {
            log = CatalogueLog.open(file, repository, this::replay);
        } catch (NoSuchFileException e) {
            if (isNew && storage.list(Catalogue.FOLDER).isEmpty()) {
                log = CatalogueLog.create(file, repository, begun -> {});
            } else {
                beginWithoutPast(FILE + " is missing", new TreeMap<>());
            }
        } catch (DamagedDataException e) {
            beginBesideDamage(e);
        }
    }

    private void replay(CatalogueRecord record, long at) {
        for (CatalogueRecord each : record.all()) {
            replayOne(each, at);
        }
    }

    private void replayOne(CatalogueRecord record, long at) {
        records++;
        if (record instanceof CatalogueRecord.Committed committed) {
            add(CatalogueEntry.of(committed, at));
            underWay.committed(committed.info().id());
        } else if (record instanceof CatalogueRecord.Found found) {
            add(CatalogueEntry.of(found));
        } else if (record instanceof CatalogueRecord.Deleted deleted) {
            forget(deleted.ids());
        } else if (record instanceof CatalogueRecord.PastLost lost) {
            problems.lostPast(lost.reason());
        } else if (record instanceof CatalogueRecord.Publishing begun) {
            underWay.publishing(begun.ids());
        } else if (record instanceof CatalogueRecord.Held held) {
            underWay.held(held);
        }
    }

    private void forget(List<Long> ids) {
        Map<Long, String> files = new HashMap<>();
        for (long id : ids) {
            index.find(id).ifPresent(entry -> files.put(id, entry.file()));
            index.remove(id);
        }
        underWay.deleted(ids, files);
    }

    private void add(CatalogueEntry entry) {
        index.add(entry);
        highestId = Math.max(highestId, entry.id());
    }

    private void beginBesideDamage(DamagedDataException damage) throws IOException {
        Path aside = file.resolveSibling(FILE + ".damaged");
        try (OutputStream copy = Files.newOutputStream(aside)) {
            Files.copy(file, copy);
        }
        String reason = damage.getMessage() + " (kept as " + aside.getFileName() + ")";
        if (index.all().isEmpty()) {
            beginWithoutPast(reason, new TreeMap<>());
            return;
        }
        try (CatalogueReader before = CatalogueReader.open(file, repository)) {
            beginWithoutPast(reason, recorded(before::at));
        }
    }

    /**
     * What the record said before its damage, and whatever else is there: nothing is given up without the operator's
     * word.
     */
    private void beginWithoutPast(String reason, SortedMap<Long, Source> recorded) throws IOException {
        problems.lostPast(reason);
        SortedMap<Long, Source> sources = found(comparison().files());
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
                                ? commitOf(entry, before)
                                : new CatalogueRecord.Found(entry.namespace(), entry.name(), id)));
        return sources;
    }

    private static CatalogueRecord.Committed commitOf(CatalogueEntry entry, RecordsAt records) throws IOException {
        return records.at(entry.recordAt())
                .commitOf(entry.id())
                .orElseThrow(() -> new DamagedDataException(
                        FILE, entry.recordAt(), "this is not the record of snapshot " + entry.id()));
    }

    /** Writes the log anew, one record after another, so that they are not in memory together. */
    private void write(SortedMap<Long, Source> sources) throws IOException {
        CatalogueIndex after = new CatalogueIndex();
        CatalogueLog before = log;
        log = CatalogueLog.create(file, repository, begun -> {
            Optional<String> pastLost = problems.pastLost();
            if (pastLost.isPresent()) {
                begun.write(new CatalogueRecord.PastLost(pastLost.get()));
            }
            for (CatalogueRecord.Held hold : underWay.holds()) {
                begun.write(hold);
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
        if (opened().isOld() || records > 2 * index.all().size() + SPARE_RECORDS) {
            write(recorded(opened()::at));
        }
    }

    /** From now on whatever of earlier holds is not recorded comes late. */
    private void noteHold(Set<Long> strangers) throws IOException {
        Optional<UUID> hold = storage.hold();
        if (hold.isPresent()) {
            long recorded = Math.max(highestId, HighestId.open(storage).value());
            // A file that came late may still be replaced by another that comes late, but one that nobody explains
            // isn't.
            long highest = strangers.stream().filter(id -> id <= highestThere).reduce(recorded, Math::max);
            CatalogueRecord.Held begins = new CatalogueRecord.Held(hold.get(), highest, underWay.open(strangers));
            append(begins);
            underWay.held(begins);
        }
    }

    private CatalogueWrites writes() {
        return Objects.requireNonNull(writes, "not open");
    }

    /** Gives a snapshot's file its name and records it. */
    void publish(CatalogueRecord.Committed snapshot, Path whole) throws IOException {
        String name = CatalogueEntry.of(snapshot, 0).file();
        writes().publish(snapshot, new CatalogueWrites.NamedFile() {
            @Override
            public void publish() throws IOException {
                storage.publish(whole, name);
            }

            @Override
            public void withdraw() throws IOException {
                try {
                    if (storage.hold().isPresent()) { // It may come late.
                        writes().append(new CatalogueRecord.Deleted(
                                List.of(snapshot.info().id())));
                    }
                } finally {
                    deletions.deleteIfThere(name);
                }
            }
        });
    }

    /**
     * Before an id counts as given out for good: what is being published under a lower one must be recorded as that.
     */
    void raise(long highest) throws IOException {
        writes().raise(highest);
    }

    /** All that was recorded of a snapshot. */
    Optional<SnapshotInfo> info(CatalogueEntry entry) throws IOException {
        if (!entry.isDescribed()) {
            return Optional.empty();
        }
        return Optional.of(commitOf(entry, opened()::at).info());
    }

    /** Records deletions and deletes the files. */
    void deleted(List<Long> ids) throws IOException {
        deletions.delete(ids);
    }

    /** By one thread at a time. */
    private void append(CatalogueRecord record) throws IOException {
        long at = opened().append(record);
        for (CatalogueRecord each : record.all()) {
            records++;
            if (each instanceof CatalogueRecord.Committed committed) {
                add(CatalogueEntry.of(committed, at));
            }
        }
    }

    private CatalogueLog opened() {
        CatalogueLog opened = log;
        if (opened == null) {
            throw new IllegalStateException("the catalogue is closed");
        }
        return opened;
    }

    CatalogueProblems problems() {
        return problems;
    }

    /** Forgets what was recorded for what is there. */
    void beginAnew() throws IOException {
        writes().alone(this::writeFound);
    }

    private void writeFound() throws IOException {
        SortedMap<Long, Source> sources = found(comparison().files());
        problems.clear();
        write(sources);
        deletions.forget();
    }

    @Override
    public void close() throws IOException {
        if (log != null) {
            log.close();
            log = null;
        }
    }
}
