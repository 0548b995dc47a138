// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.catalogue;

import com.google.common.util.concurrent.Striped;
import io.shredder.backup.agent.lists.PageAddress;
import io.shredder.backup.agent.lists.PagePacks;
import io.shredder.backup.agent.lists.PrivateDraft;
import io.shredder.backup.agent.lists.SharedDraft;
import io.shredder.backup.agent.lists.SnapshotDraft;
import io.shredder.backup.agent.lists.SnapshotFile;
import io.shredder.backup.agent.lists.SnapshotFormat;
import io.shredder.backup.agent.storage.Storage;
import io.shredder.backup.snapshot.ListPage;
import io.shredder.backup.snapshot.SnapshotInfo;
import io.shredder.backup.snapshot.SnapshotName;
import io.shredder.backup.snapshot.SnapshotSeal;
import io.shredder.chunk.DamagedDataException;
import java.io.Closeable;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.Lock;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * All committed snapshots, a file each: {@code snapshots/NAMESPACE/NAME/ID.snapshot}, and the record of
 * what was committed and deleted, which says which of them there should be: {@code docs/formats/catalogue.md}. A
 * snapshot appears by one rename, is recorded, and never changes. What is recorded and not there, or there and not
 * recorded, is a problem that is named; nothing is taken for deleted because it is not there. Safe for any number of
 * threads.
 */
public final class Catalogue implements Closeable {

    static final String FOLDER = "snapshots";

    /** So many that two series have seldom the same; then one waits for the other. */
    private static final int TURNS = 1 << 16;

    private final Storage storage;
    private final Path incoming;
    private final Clock clock;
    private final CatalogueState state;
    private final PagePacks packs;
    private final AtomicLong drafts = new AtomicLong();
    private final HighestId highestId;

    /** One snapshot of a series is published at a time, so that every commit knows which is the last. */
    private final Striped<Lock> turns = Striped.lazyWeakLock(TURNS);

    /** Held while snapshots are deleted. */
    private final Object deleting = new Object();

    /** Never given out twice, also if publishing failed: the file may be there all the same. */
    private long lastId;

    private Catalogue(Storage storage, Path incoming, Clock clock, CatalogueState state, PagePacks packs)
            throws IOException {
        this.storage = storage;
        this.packs = packs;
        this.highestId = HighestId.open(storage);
        this.incoming = incoming;
        this.clock = clock;
        this.state = state;
        SortedMap<Long, Long> known = packs.list();
        this.lastId = known.isEmpty() ? 0 : known.lastKey();
    }

    /**
     * Opens the catalogue and deletes what unfinished backups left.
     *
     * @param storage that keeps the snapshots
     * @param root folder of the agent's own disk with the record, and {@code incoming} for drafts
     * @param repository whose snapshots
     * @param isNew whether this repository never had a snapshot, so that it has no record yet
     * @param clock stamps snapshots; a client's clock is never believed
     */
    public static Catalogue open(Storage storage, Path root, UUID repository, boolean isNew, Clock clock)
            throws IOException {
        Path incoming = root.resolve("incoming");
        try (Stream<Path> files = Files.list(incoming)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                Files.delete(file);
            }
        }
        CatalogueState state = CatalogueState.open(storage, root, repository, isNew);
        try {
            return new Catalogue(storage, incoming, clock, state, new PagePacks(storage, repository));
        } catch (IOException e) {
            state.close();
            throw e;
        }
    }

    /** Starts a snapshot. */
    public SnapshotDraft begin(SnapshotName namespace, SnapshotName name, SnapshotSeal seal) throws IOException {
        long number = drafts.incrementAndGet();
        Path temporary = incoming.resolve("draft-" + number);
        SnapshotFormat.Head head = new SnapshotFormat.Head(namespace, name, seal);
        return seal.isShared()
                ? new SharedDraft(temporary, incoming.resolve("pages-" + number), head, packs)
                : new PrivateDraft(temporary, head);
    }

    /** The pages of shared lists. */
    public PagePacks packs() {
        return packs;
    }

    /** Puts a whole copy of a page of a shared list in its place; whoever calls has checked that it is this page. */
    public void mend(PageAddress address, ListPage page) throws IOException {
        packs.mend(address, page, incoming.resolve("mend-" + drafts.incrementAndGet()));
    }

    /** An id for a snapshot that is about to be published; it is never given out again, whether that happens or not. */
    public synchronized long reserveId() {
        lastId = highestKnown() + 1;
        return lastId;
    }

    /** The newest snapshot of a series; 0 if it has none. */
    public long lastOf(SnapshotName namespace, SnapshotName name) {
        NavigableMap<Long, CatalogueEntry> series = state.index().of(namespace, name);
        return series.isEmpty() ? 0 : series.lastKey();
    }

    /**
     * Publishes a draft under an id of its own: it is whole, durable and recorded when this returns, or absent. All its
     * chunks must be durable before. Snapshots of several series are published side by side.
     *
     * @param contents checked by whoever calls
     */
    public SnapshotInfo publish(SnapshotDraft draft, SnapshotDraft.Contents contents) throws IOException {
        Lock turn = takeTurn(draft);
        try {
            return publishInTurn(draft, contents, reserveId());
        } finally {
            turn.unlock();
        }
    }

    /**
     * The same under a reserved id.
     *
     * @param lastId the newest of the series when the id was reserved
     * @throws SeriesMovedException if there is a newer one; the draft stays open
     */
    public SnapshotInfo publish(SnapshotDraft draft, SnapshotDraft.Contents contents, long id, long lastId)
            throws IOException {
        Lock turn = takeTurn(draft);
        try {
            if (lastOf(draft.namespace(), draft.name()) > lastId) {
                throw new SeriesMovedException(draft.name());
            }
            return publishInTurn(draft, contents, id);
        } finally {
            turn.unlock();
        }
    }

    /** Waits until nobody publishes a snapshot of the draft's series. */
    private Lock takeTurn(SnapshotDraft draft) throws InterruptedIOException {
        Lock turn = turns.get(new CatalogueIndex.Series(draft.namespace(), draft.name()));
        try {
            turn.lockInterruptibly();
            return turn;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException("interrupted while another snapshot of " + draft.name() + " is committed");
        }
    }

    private SnapshotInfo publishInTurn(SnapshotDraft draft, SnapshotDraft.Contents contents, long id)
            throws IOException {
        SnapshotInfo info = draft.seal(id, clock.instant(), contents);
        draft.publishPack();
        state.publish(
                new CatalogueRecord.Committed(draft.namespace(), info, Files.size(draft.temporary())),
                draft.temporary());
        return info;
    }

    private synchronized long highestKnown() {
        NavigableMap<Long, CatalogueEntry> all = state.index().all();
        long recorded = Math.max(state.highestId(), all.isEmpty() ? 0 : all.lastKey());
        return Math.max(Math.max(lastId, highestId.value()), recorded);
    }

    /**
     * Why snapshots of a namespace may not be deleted now, if so: something went without a record, which is to be
     * cleared up first.
     *
     * @param ids those that are to go
     */
    public Optional<String> whyNotDelete(SnapshotName namespace, List<Long> ids) {
        return state.problems().whyNotDelete(namespace, ids);
    }

    /**
     * Deletes a client's own snapshots, one after another, each durably; also those that are damaged or missing. Their
     * ids are never given out again. Whoever calls has written down what is going to happen. If the disk is full,
     * nothing has been deleted.
     *
     * @param ids all of them must be there
     */
    public void delete(SnapshotName namespace, List<Long> ids) throws IOException {
        synchronized (deleting) {
            if (!state.index().of(namespace).keySet().containsAll(ids)) {
                throw new IllegalArgumentException("not all of these are snapshots of " + namespace);
            }
            raise();
            state.deleted(ids);
        }
    }

    /** No id that was given out comes back from now on. */
    private void raise() throws IOException {
        long highest = highestKnown();
        if (highest > highestId.value()) {
            state.raise(highest);
            highestId.raise(highest);
        }
    }

    /** Whether a client has this snapshot. */
    public boolean has(SnapshotName namespace, long id) {
        return state.index()
                .find(id)
                .filter(found -> found.namespace().equals(namespace))
                .isPresent();
    }

    /** Whether this snapshot is there, whosever it is. */
    public boolean has(long id) {
        return state.index().find(id).isPresent();
    }

    /** The ids of all clients' snapshots, ascending. */
    public List<Long> ids() {
        return List.copyOf(state.index().all().keySet());
    }

    /** Whose snapshots there are. */
    public SortedSet<SnapshotName> namespaces() {
        return state.index().namespaces();
    }

    /** All series of all clients, in any order. Whoever asks waits for as long as it takes to count all snapshots. */
    public List<SeriesStanding> series() {
        return state.index().series();
    }

    /** Snapshots of a series with ids below {@code beforeId}, the newest first. */
    public NavigableMap<Long, CatalogueEntry> newest(SnapshotName namespace, SnapshotName name, long beforeId) {
        return state.index().of(namespace, name).headMap(beforeId, false).descendingMap();
    }

    /** One client's snapshots, ids above {@code afterId}, ascending. */
    public SortedMap<Long, CatalogueEntry> list(SnapshotName namespace, long afterId) {
        return state.index().of(namespace).tailMap(afterId, false);
    }

    /** The same of one series. */
    public SortedMap<Long, CatalogueEntry> list(SnapshotName namespace, SnapshotName name, long afterId) {
        return state.index().of(namespace, name).tailMap(afterId, false);
    }

    /**
     * How long the images of a namespace's snapshots are together; those whose file could never be read count nothing.
     */
    public long imageBytes(SnapshotName namespace) {
        return state.index().imageBytes(namespace);
    }

    /** The same for the namespace's quota, of which each image counts {@link CatalogueEntry#quotaBytes(long)}. */
    public long quotaBytes(SnapshotName namespace) {
        return state.index().quotaBytes(namespace);
    }

    /** The next snapshot of any client, after this id. */
    public Optional<Long> next(long afterId) {
        return Optional.ofNullable(state.index().all().higherKey(afterId));
    }

    /**
     * All that was recorded of a snapshot of {@link #list}; nothing if its file could not be read when the record was
     * begun.
     */
    public Optional<SnapshotInfo> info(CatalogueEntry entry) throws IOException {
        return state.info(entry);
    }

    /** What was wrong with a snapshot's file at the start, if anything was: it is missing, or has another length. */
    public Optional<String> problem(CatalogueEntry entry) {
        return state.problems().of(entry);
    }

    /** The same without a look at whether the file was put back since. */
    public Optional<String> knownProblem(CatalogueEntry entry) {
        return state.problems().known(entry);
    }

    /** What is wrong with the catalogue as a whole, a line each: until it is cleared up nothing may be collected. */
    public List<String> problems() {
        return state.problems().all();
    }

    /** Whether one of these names a file that is not of this namespace. */
    public static boolean isOfAnother(SnapshotName namespace, String problem) {
        return problem.startsWith(FOLDER + "/") && !problem.startsWith(FOLDER + "/" + namespace + "/");
    }

    /** Opens any client's snapshot, if it is there. */
    public Optional<SnapshotFile> open(long id) throws IOException {
        Optional<CatalogueEntry> entry = state.index().find(id);
        return entry.isEmpty() ? Optional.empty() : openIfThere(entry.get());
    }

    /** Opens a client's own snapshot, if it is there. */
    public Optional<SnapshotFile> open(SnapshotName namespace, long id) throws IOException {
        Optional<CatalogueEntry> entry =
                state.index().find(id).filter(found -> found.namespace().equals(namespace));
        return entry.isEmpty() ? Optional.empty() : openIfThere(entry.get());
    }

    /** It may be pruned meanwhile; a file that is gone though nobody deleted it is damage. */
    private Optional<SnapshotFile> openIfThere(CatalogueEntry entry) throws IOException {
        try {
            return Optional.of(open(entry));
        } catch (NoSuchFileException e) {
            synchronized (deleting) {
                if (state.index().find(entry.id()).isPresent()) {
                    throw new DamagedDataException(entry.file(), 0, "the snapshot is missing");
                }
            }
            return Optional.empty();
        }
    }

    /** Opens a file of {@link #list} and checks that it is what was committed. */
    public SnapshotFile open(CatalogueEntry entry) throws IOException {
        return SnapshotFiles.open(storage, entry, info(entry), packs);
    }

    /** When a file of {@link #list} was written. */
    public Instant lastModified(CatalogueEntry entry) throws IOException {
        return storage.lastModified(entry.file());
    }

    /**
     * What accepting did.
     *
     * @param lost recorded snapshots whose files are gone: they are given up
     * @param found files that were not recorded and are from now on
     * @param kept how many there are now, those that were found among them
     */
    public record Accepted(List<CatalogueEntry> lost, List<CatalogueEntry> found, int kept) {}

    /** Takes what is there for all that there should be, and begins the record anew; the operator's explicit word. */
    public Accepted accept() throws IOException {
        synchronized (deleting) {
            return acceptAll();
        }
    }

    private Accepted acceptAll() throws IOException {
        List<CatalogueEntry> before = new ArrayList<>(state.index().all().values());
        raise();
        state.beginAnew();
        List<CatalogueEntry> after = List.copyOf(state.index().all().values());
        List<CatalogueEntry> found = new ArrayList<>(after);
        Set<Long> known = before.stream().map(CatalogueEntry::id).collect(Collectors.toSet());
        found.removeIf(entry -> known.contains(entry.id()));
        before.removeIf(entry -> state.index().find(entry.id()).isPresent());
        return new Accepted(before, found, after.size());
    }

    @Override
    public void close() throws IOException {
        state.close();
    }
}
