// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.collect;

import io.shredder.backup.agent.catalogue.Catalogue;
import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.backup.agent.lists.CheckedPages;
import io.shredder.backup.agent.lists.DraftEndedException;
import io.shredder.backup.agent.lists.OpenPacks;
import io.shredder.backup.agent.lists.PageAddress;
import io.shredder.backup.agent.lists.PageRun;
import io.shredder.backup.agent.lists.SeenPages;
import io.shredder.backup.agent.lists.SharedPages;
import io.shredder.backup.agent.lists.SnapshotDraft;
import io.shredder.backup.agent.lists.SnapshotFile;
import io.shredder.backup.snapshot.ListPage;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Finds everything that lives. The order matters: drafts first, then the catalogue, then what sessions read. So a draft
 * that is published meanwhile is seen as one or the other, and a snapshot that is pruned while somebody reads it is
 * seen, too. Pages that a draft shares meanwhile are looked at last: their snapshot may be pruned before its turn
 * comes. A page that many snapshots share is looked at once.
 */
final class Marking implements Closeable {

    private static final int PAGES_PER_STEP = 1 << 6;
    /** Asked for together: the more, the fewer pages of the index are opened several times. */
    private static final int PAGES_PER_QUESTION = 1 << 3;
    /** Pages that were seen before are only counted: so many are passed over in place of one question. */
    private static final int SEEN_PER_QUESTION = 1 << 10;

    private static final int MOST_PACKS = 1 << 6;

    private final CollectionGate gate;
    private final CollectedChunks chunks;
    private final Catalogue catalogue;
    private final ChunkMarks marks;
    private final SeenPages seen = new SeenPages();
    /**
     * Those of snapshots that were pruned and are still read. Nothing promises that these have all chunks, so a list
     * that is promised to looks at its pages itself.
     */
    private final SeenPages seenOfPruned = new SeenPages();
    /** For all snapshots: those of a series have pages of the same packs. */
    private final OpenPacks packs;

    private final Queue<Long> snapshots = new ArrayDeque<>();
    private @Nullable SnapshotFile current;
    private @Nullable CheckedPages pages;
    /** What drafts have shared and is still to be looked at. */
    private @Nullable PageRun shared;

    private Optional<Fingerprint> missing = Optional.empty();
    private boolean rootsTaken;
    private boolean done;
    private long markedChunks;

    Marking(CollectionGate gate, CollectedChunks chunks, Catalogue catalogue, ChunkMarks marks) {
        this.gate = gate;
        this.chunks = chunks;
        this.catalogue = catalogue;
        this.marks = marks;
        this.packs = catalogue.packs().opened(MOST_PACKS);
    }

    boolean isDone() {
        return done;
    }

    long markedChunks() {
        return markedChunks;
    }

    void step() throws IOException {
        if (!rootsTaken) {
            takeRoots();
            rootsTaken = true;
        } else if (!markSome()) {
            markShared();
        }
    }

    /**
     * Marking ends when no session has shared pages that were not looked at; from then on all that can be shared is
     * marked.
     */
    private void markShared() throws IOException {
        SharedPages open = catalogue.packs().pages(packs);
        int read = 0;
        for (int runs = 0; runs < SEEN_PER_QUESTION && read < PAGES_PER_STEP && hasShared(); runs++) {
            read += markRun(open, PAGES_PER_STEP - read);
        }
        done = shared == null
                && gate.alone(() -> {
                    shared = gate.nextShared().orElse(null);
                    return shared == null;
                });
    }

    private boolean hasShared() {
        shared = shared == null ? gate.nextShared().orElse(null) : shared;
        return shared != null;
    }

    /**
     * Marks what some pages of the run need that were not seen; returns how many it has read, of at most {@code most}.
     */
    private int markRun(SharedPages open, int most) throws IOException {
        PageRun run = Objects.requireNonNull(shared);
        int read = 0;
        int place = 0;
        for (; place < run.count() && read < most; place++) {
            PageAddress address = run.address(place);
            if (!seen.has(address)) {
                markNeeded(open.page(address).references());
                seen.add(address);
                read++;
            }
        }
        shared = place < run.count() ? run.part(place, run.count() - place) : null;
        return read;
    }

    /** Marks what a draft needs. */
    private void markNeeded(List<Fingerprint> references) throws IOException {
        Optional<Fingerprint> absent = markFound(references);
        if (absent.isPresent()) {
            throw new IOException("nothing is collected: a backup under way needs chunk " + absent.get()
                    + ", which the index doesn't have; stop the agent and run 'backup-agent rebuild-index', and if"
                    + " that doesn't find it, back up again");
        }
    }

    /** Once marking is done: whether any page of a pack lives. */
    boolean isNeeded(long pack) {
        return seen.hasAnyOf(pack) || seenOfPruned.hasAnyOf(pack);
    }

    private void takeRoots() throws IOException {
        List<String> problems = catalogue.problems();
        if (!problems.isEmpty()) {
            throw new IOException("nothing is collected, since nobody knows what is needed: " + problems.get(0)
                    + (problems.size() == 1 ? "" : " (and " + (problems.size() - 1) + " more: see 'verify')"));
        }
        for (LiveRoots session : gate.sessions()) {
            markFound(session.promised()); // Of what is not there its client is told when it points to it.
            Optional<SnapshotDraft> draft = session.draft();
            if (draft.isPresent()) {
                markDraft(draft.get());
            }
        }
        snapshots.addAll(gate.alone(catalogue::ids));
        Set<Long> listed = new HashSet<>(snapshots);
        for (LiveRoots session : gate.sessions()) {
            Optional<SnapshotFile> reading = session.reading();
            if (reading.isPresent() && !listed.contains(reading.get().info().id())) {
                markPruned(reading.get(), session);
            }
        }
    }

    private void markDraft(SnapshotDraft draft) throws IOException {
        try {
            draft.visit(this::markNeeded, seen);
        } catch (DraftEndedException e) {
            return; // Published, so it is in the catalogue, or dropped.
        }
    }

    private void markPruned(SnapshotFile file, LiveRoots session) throws IOException {
        CheckedPages left = new CheckedPages(file, packs, seenOfPruned);
        while (left.hasNext()) {
            Optional<ListPage> page;
            try {
                page = left.next();
            } catch (IOException e) {
                if (session.isReading(file) && !(e instanceof NoSuchFileException)) {
                    throw e;
                }
                return; // Nobody reads it any more, or can: some storages take a file from its readers, too.
            }
            if (page.isPresent()) {
                markFound(page.get().references());
            }
        }
    }

    /** Opens the next snapshot that is still there; returns whether there was one. */
    private boolean openNext() throws IOException {
        while (!snapshots.isEmpty()) {
            long id = snapshots.remove();
            try {
                Optional<SnapshotFile> opened = catalogue.open(id);
                if (opened.isPresent()) {
                    current = opened.get();
                    pages = new CheckedPages(opened.get(), packs, seen);
                    missing = Optional.empty();
                    return true;
                }
                markIfRead(id);
            } catch (DamagedDataException e) {
                throw unknownNeeds(e, id);
            }
        }
        return false;
    }

    /** A snapshot was pruned before its turn came: who reads it reads it to its end. */
    private void markIfRead(long id) throws IOException {
        for (LiveRoots session : gate.sessions()) {
            Optional<SnapshotFile> reading = session.reading();
            if (reading.isPresent() && reading.get().info().id() == id) {
                markPruned(reading.get(), session);
            }
        }
    }

    private static DamagedDataException unknownNeeds(DamagedDataException damage, long id) {
        return new DamagedDataException(
                damage.source(),
                damage.offset(),
                damage.problem() + ": nothing is collected, since nobody knows what this snapshot needs; put the "
                        + "file back from a copy, or prune snapshot " + id);
    }

    /** Marks what the next pages need, of one snapshot or of several; returns whether there were any left. */
    private boolean markSome() throws IOException {
        int read = 0;
        while (read < PAGES_PER_STEP && (current != null || openNext())) {
            SnapshotFile file = Objects.requireNonNull(current);
            CheckedPages left = Objects.requireNonNull(pages);
            Optional<Fingerprint> absent = markFound(references(left, file));
            missing = missing.isPresent() ? missing : absent;
            if (!left.hasNext()) {
                endSnapshot(left, file);
            }
            read += PAGES_PER_QUESTION;
        }
        return read > 0;
    }

    /** The chunks of the next pages together. */
    private static List<Fingerprint> references(CheckedPages pages, SnapshotFile file) throws IOException {
        List<Fingerprint> references = new ArrayList<>();
        try {
            int read = 0;
            for (int looked = 0; pages.hasNext() && read < PAGES_PER_QUESTION && looked < SEEN_PER_QUESTION; looked++) {
                Optional<ListPage> page = pages.next();
                page.ifPresent(unseen -> references.addAll(unseen.references()));
                read += page.isPresent() ? 1 : 0;
            }
        } catch (DamagedDataException e) {
            throw unknownNeeds(e, file.info().id());
        }
        return references;
    }

    private void endSnapshot(CheckedPages read, SnapshotFile file) throws IOException {
        try {
            read.checkEnd();
        } catch (DamagedDataException e) {
            throw unknownNeeds(e, file.info().id());
        }
        if (missing.isPresent()) {
            throw new IOException(
                    "nothing is collected: snapshot " + file.info().name() + "@"
                            + file.info().id() + " of client " + file.namespace() + " needs chunk " + missing.get()
                            + ", which the index doesn't have; stop the agent and run 'backup-agent rebuild-index', and "
                            + "if that doesn't find it, prune the snapshot");
        }
        file.close();
        pages = null;
        current = null;
    }

    /** Marks chunks; returns one that is not in the index, if there is such. */
    private Optional<Fingerprint> markFound(List<Fingerprint> fingerprints) throws IOException {
        List<Optional<ChunkLocation>> found = chunks.index().findAll(fingerprints);
        Optional<Fingerprint> missing = Optional.empty();
        for (int i = 0; i < found.size(); i++) {
            if (found.get(i).isPresent()) {
                marks.mark(found.get(i).get());
            } else {
                missing = Optional.of(fingerprints.get(i));
            }
        }
        markedChunks += fingerprints.size();
        return missing;
    }

    @Override
    public void close() throws IOException {
        try (packs) {
            if (current != null) {
                current.close();
            }
        }
    }
}
