// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.backup.agent.container.ContainerPosition;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The index on disk, encrypted and authenticated: puts go into a table in memory and, with the next commit,
 * into the log; a full table becomes a sorted run in the background, and runs are joined as they grow
 * ({@code docs/formats/index.md}). About 1.35 bytes of memory an entry, and two tables. After Kirby, GPU-Assisted
 * Cryptography of Log-Structured Indices (2012): log, two tables, merge, replay.
 *
 * <p>Threads that ask must not be interrupted while they read: Java would close the file under all of them.
 */
public final class LogStructuredIndex implements FingerprintIndex {

    /** Entries of a table before it is merged. */
    public static final int TABLE_ENTRIES = 64 << 10;

    /** More entries than ever are in a table, so that no run is written. */
    private static final int NEVER_MERGED = 1 << 30;

    /** So many segments are replayed at most; then their table is merged, however small. */
    private static final int MAX_LOG_SEGMENTS = 8;

    private final IndexFiles files;
    private final IndexManifestFile manifest;
    private final IndexViews views;
    private final RunMerges merges;
    private final int tableEntries;
    /** What was put and removed since the last commit, in order; guarded by itself, as is what the tables get. */
    private final List<IndexEntry> pending = new ArrayList<>();
    /** As soon as a commit has begun that is to make it durable, until that or a later one is done. */
    private @Nullable FullTable full;

    private @Nullable LogSegment log;
    /** Then the next commit is written though it be empty, since of the last one damage can't be told from a crash. */
    private boolean lastCommitRemoves;

    private volatile ContainerPosition covered;
    private final AtomicLong size;

    /**
     * A table that takes no more.
     *
     * @param size how many chunks it and all older ones hold
     * @param covered up to where they surely cover the containers
     */
    private record FullTable(Memtable table, long size, ContainerPosition covered) {
        FullTable with(ContainerPosition position) {
            return new FullTable(table, size, position);
        }
    }

    private LogStructuredIndex(
            IndexFiles files, IndexManifestFile manifest, IndexViews views, RunMerges merges, int tableEntries) {
        this.files = files;
        this.manifest = manifest;
        this.views = views;
        this.merges = merges;
        this.tableEntries = tableEntries;
        this.covered = manifest.current().covered();
        this.size = new AtomicLong(manifest.current().size());
    }

    /** Makes an empty index in a folder that exists, durably; one that is there already is replaced. */
    public static void create(Path folder, UUID repository, IndexKey key) throws IOException {
        create(encrypted(folder, repository, key));
    }

    /**
     * Opens an index: replays its log and cuts off a torn tail.
     *
     * @throws io.shredder.chunk.DamagedDataException if anything else is not as it was written
     * @throws WrongIndexKeyException if it was made with another key
     */
    public static LogStructuredIndex open(Path folder, UUID repository, IndexKey key) throws IOException {
        return open(folder, repository, key, TABLE_ENTRIES);
    }

    /** The same with a table size of the caller's. */
    public static LogStructuredIndex open(Path folder, UUID repository, IndexKey key, int tableEntries)
            throws IOException {
        return open(encrypted(folder, repository, key), tableEntries, LogStructuredIndex::inBackground);
    }

    /**
     * Opens an index without changing its folder.
     *
     * @param scratch an empty folder, for what is written
     */
    public static LogStructuredIndex openReadOnly(Path folder, Path scratch, UUID repository, IndexKey key)
            throws IOException {
        IndexFolder files = new OverlayFolder(new DiskFolder(folder), new DiskFolder(scratch));
        return open(encrypted(files, repository, key), NEVER_MERGED, LogStructuredIndex::inBackground);
    }

    private static IndexFiles encrypted(Path folder, UUID repository, IndexKey key) {
        return encrypted(new DiskFolder(folder), repository, key);
    }

    private static IndexFiles encrypted(IndexFolder folder, UUID repository, IndexKey key) {
        Sealing.Kind aes = Sealing.Kind.AES_256_GCM;
        return new IndexFiles(folder, repository, key, aes, aes);
    }

    private static void inBackground(Runnable work) {
        Thread thread = new Thread(work, "index-merge");
        thread.setDaemon(true);
        thread.start();
    }

    static void create(IndexFiles files) throws IOException {
        deleteUnnamed(files, IndexManifestFile.create(files).current());
    }

    /**
     * Opens an index with a table size and a way to merge of the caller's.
     *
     * @param executor runs one merge at a time
     */
    static LogStructuredIndex open(IndexFiles files, int tableEntries, Executor executor) throws IOException {
        IndexManifestFile manifest = IndexManifestFile.open(files);
        deleteUnnamed(files, manifest.current());
        FilterMemory filters = new FilterMemory();
        IndexViews views = openRuns(files, manifest.current(), filters);
        try {
            RunMerges merges = new RunMerges(files, manifest, views, filters, executor);
            LogStructuredIndex index = new LogStructuredIndex(files, manifest, views, merges, tableEntries);
            index.replay();
            return index;
        } catch (IOException | RuntimeException e) {
            views.close();
            throw e;
        }
    }

    private static IndexViews openRuns(IndexFiles files, IndexManifest manifest, FilterMemory filters)
            throws IOException {
        List<Run> runs = new ArrayList<>();
        try {
            for (RunManifest run : manifest.runs()) {
                Run opened = Run.open(files, run);
                runs.add(opened);
                opened.loadFilter(filters);
            }
            return new IndexViews(runs);
        } catch (IOException | RuntimeException e) {
            for (Run run : runs) {
                run.release();
            }
            throw e;
        }
    }

    /** What a crash left before the manifest named it, or after it no longer did. */
    private static void deleteUnnamed(IndexFiles files, IndexManifest manifest) throws IOException {
        for (String name : files.folder().names()) {
            if (name.matches("[0-9a-f]{8}\\.(run|log)") && !manifest.names(name)) {
                files.folder().delete(name);
            }
        }
    }

    private void replay() throws IOException {
        IndexManifest opened = manifest.current();
        for (int number = opened.firstLog(); number <= opened.lastLog(); number++) {
            LogReplay.replay(files, number, number == opened.lastLog(), this::apply);
        }
        boolean manySegments = tableEntries < NEVER_MERGED && opened.lastLog() - opened.firstLog() >= MAX_LOG_SEGMENTS;
        if (manySegments || views.current().active().size() >= tableEntries) {
            merge(new FullTable(views.rotate(), size.get(), covered), true);
        }
    }

    private void apply(LogCommit commit) throws IOException {
        for (IndexEntry entry : commit.entries()) {
            set(entry.fingerprint(), entry.location(), false);
        }
        covered = commit.covered();
    }

    /** @param isNew whether it is to be committed */
    private void set(Fingerprint fingerprint, ChunkLocation location, boolean isNew) throws IOException {
        boolean was = find(fingerprint).isPresent(); // May read; nobody else sets this one meanwhile.
        boolean is = !IndexEntry.isRemoval(location);
        if (!was && !is) {
            return;
        }
        synchronized (pending) {
            if (isNew) {
                // First: what fails for want of memory must not be seen without being committed.
                pending.add(new IndexEntry(fingerprint, location));
            }
            views.current().active().set(fingerprint, location);
            size.addAndGet((is ? 1 : 0) - (was ? 1 : 0));
        }
    }

    @Override
    public Optional<ChunkLocation> find(Fingerprint fingerprint) throws IOException {
        IndexView view = views.hold();
        try {
            return Optional.ofNullable(view.find(fingerprint)).filter(location -> !IndexEntry.isRemoval(location));
        } finally {
            view.release();
        }
    }

    @Override
    public List<Optional<ChunkLocation>> findAll(List<Fingerprint> fingerprints) throws IOException {
        IndexView view = views.hold();
        try {
            return new BatchedLookup(view, fingerprints).run();
        } finally {
            view.release();
        }
    }

    @Override
    public void put(Fingerprint fingerprint, ChunkLocation location) throws IOException {
        set(fingerprint, location, true);
    }

    @Override
    public void remove(Fingerprint fingerprint) throws IOException {
        set(fingerprint, IndexEntry.NOWHERE, true);
    }

    @Override
    public int uncommitted() {
        synchronized (pending) {
            return pending.size();
        }
    }

    @Override
    public Commit beginCommit() throws IOException {
        synchronized (pending) {
            boolean fills = full == null && views.current().active().size() >= tableEntries && !merges.isBusy();
            if (fills) {
                full = new FullTable(views.rotate(), size.get(), covered);
            }
            List<IndexEntry> entries = List.copyOf(pending);
            return position -> finish(entries, fills, position);
        }
    }

    /** @param fills whether the full table has just what is committed with this */
    private void finish(List<IndexEntry> entries, boolean fills, ContainerPosition position) throws IOException {
        if (entries.isEmpty() && position.equals(covered) && !lastCommitRemoves && full == null) {
            return;
        }
        if (full != null && fills) {
            full = full.with(position);
        }
        if (views.current().active().size() >= 2L * tableEntries) {
            merges.awaitFlush();
        }
        openLog().append(new LogCommit(entries, position));
        lastCommitRemoves = entries.stream().anyMatch(entry -> IndexEntry.isRemoval(entry.location()));
        covered = position;
        synchronized (pending) {
            pending.subList(0, entries.size()).clear();
        }
        if (full != null) {
            merge(full, fills);
            full = null;
        }
    }

    /**
     * Everything in a full table is committed: it becomes a run. Unless the log has more, it begins again behind it.
     */
    private void merge(FullTable table, boolean logEnds) throws IOException {
        if (logEnds) {
            closeLog();
        }
        int nextLog = manifest.current().lastLog() + (logEnds ? 1 : 0);
        merges.begin(new RunMerges.Flush(table.table(), table.covered(), table.size(), nextLog));
    }

    private LogSegment openLog() throws IOException {
        if (log == null) {
            manifest.checkUsable();
            int number = manifest.current().lastLog() + 1;
            LogSegment begun = LogSegment.create(files, number);
            try {
                manifest.publish(current -> current.withLog(number));
            } catch (IOException | RuntimeException e) {
                begun.close();
                throw e;
            }
            log = begun;
        }
        return log;
    }

    private void closeLog() throws IOException {
        if (log != null) {
            log.close();
            log = null;
        }
    }

    /** Waits until background merges are done, for figures and tests. */
    void awaitMerges() throws IOException {
        merges.awaitIdle();
    }

    /** Memory of fences and filters, in bytes. */
    long memoryBytes() {
        return views.current().runs().stream().mapToLong(Run::memoryBytes).sum();
    }

    /** The most that filters ever took together. */
    long mostFilterBytes() {
        return merges.mostFilterBytes();
    }

    @Override
    public ContainerPosition covered() {
        return covered;
    }

    @Override
    public long size() {
        return size.get();
    }

    @Override
    public void forEach(KeyPart part, BiConsumer<Fingerprint, ChunkLocation> visitor) throws IOException {
        IndexView view = views.hold();
        view.holdFiles();
        // Going through all takes long, and asks no filter: a merge that goes on meanwhile gets their memory back.
        view.release();
        try {
            view.forEach(part, visitor);
        } finally {
            view.releaseFiles();
        }
    }

    /** Nobody may use the index any more. What was put since the last commit is lost. */
    @Override
    public void close() throws IOException {
        try (views) {
            merges.awaitIdle();
            closeLog();
        }
    }
}
