// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent;

import io.shredder.backup.agent.catalogue.ContentCheck;
import io.shredder.backup.agent.catalogue.SeenPages;
import io.shredder.backup.agent.catalogue.SharedPages;
import io.shredder.backup.agent.catalogue.SnapshotFile;
import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;

/** Re-reads one snapshot's list, some pages at a time, and looks for its chunks in the index. For one thread, which has others look. */
final class ListVerification implements Closeable {

    /** So many pages of at most 4,096 chunks are read in one step. */
    private static final int STEP_PAGES = 64;

    /** So many are passed over in one step that were read before. */
    private static final int STEP_SEEN_PAGES = 4096;

    private final Repository repository;
    private final SnapshotFile file;
    private final long id;
    private final SeenPages seen;
    private final ContentCheck content;
    private boolean contentChecked;
    private int nextPage;
    /** In the step that goes on. */
    private int readPages;

    /**
     * Owns the file from now on.
     *
     * @param seen pages of shared lists that were looked at; those of this one are noted
     */
    ListVerification(Repository repository, SnapshotFile file, SeenPages seen) {
        this.repository = repository;
        this.file = file;
        this.id = file.info().id();
        this.seen = seen;
        this.content = file.contentCheck();
    }

    /** Which snapshot's list it is. */
    long id() {
        return id;
    }

    /** Looks at some pages more; returns whether the list is done. Of a snapshot that was deleted meanwhile nothing is missed. */
    boolean step(VerifiedPart part) throws IOException {
        VerifiedPart found = new VerifiedPart();
        boolean done;
        try {
            done = find(found);
        } catch (DamagedDataException | FileSystemException e) {
            found.problem(e);
            done = true;
        }
        boolean deleted = found.hasProblems() && !repository.catalogue().has(id);
        if (!deleted) {
            part.add(found);
        }
        return done || deleted;
    }

    private boolean find(VerifiedPart part) throws IOException {
        boolean isLong = file.pages() > STEP_PAGES;
        if (!contentChecked) {
            contentChecked = content.step(file.shared().isPresent() ? STEP_SEEN_PAGES : STEP_PAGES);
            if (!contentChecked || isLong) {
                return false;
            }
        }
        int end = Math.min(file.pages(), nextPage + STEP_SEEN_PAGES);
        readPages = 0;
        try (Ahead<VerifiedPart> pages = new Ahead<>(repository.workers(), () -> next(end))) {
            for (Optional<VerifiedPart> page = pages.next(); page.isPresent(); page = pages.next()) {
                part.add(page.get());
            }
        }
        return nextPage == file.pages();
    }

    /** The next page before {@code end} that was not seen; empty when the step has had its share. */
    private Optional<Ahead.Work<VerifiedPart>> next(int end) throws IOException {
        Optional<SharedPages> shared = file.shared();
        while (nextPage < end && readPages < STEP_PAGES) {
            int page = nextPage++;
            if (shared.isEmpty() || seen.addFirst(shared.get().address(page))) {
                readPages++;
                return Optional.of(read(page));
            }
        }
        return Optional.empty();
    }

    private Ahead.Work<VerifiedPart> read(int page) throws IOException {
        VerifiedPart part = new VerifiedPart();
        try {
            List<Fingerprint> references = file.page(page).references();
            return stopped -> lookUp(references, part, stopped);
        } catch (DamagedDataException e) {
            part.problem(e);
            return stopped -> part;
        }
    }

    private VerifiedPart lookUp(List<Fingerprint> references, VerifiedPart part, BooleanSupplier stopped)
            throws IOException {
        if (stopped.getAsBoolean()) {
            return part;
        }
        try {
            List<Optional<ChunkLocation>> found = repository.chunks().index().findAll(references);
            for (int i = 0; i < found.size(); i++) {
                if (found.get(i).isEmpty()) {
                    part.problem("snapshot " + id + ": chunk " + references.get(i) + " is missing from the index");
                }
            }
        } catch (DamagedDataException e) {
            part.problem(e);
        }
        return part;
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
