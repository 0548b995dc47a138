// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.verify;

import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.backup.agent.index.KeyPart;
import io.shredder.backup.agent.lists.ContentCheck;
import io.shredder.backup.agent.lists.PageAddress;
import io.shredder.backup.agent.lists.SeenPages;
import io.shredder.backup.agent.lists.SharedPages;
import io.shredder.backup.agent.lists.SnapshotFile;
import io.shredder.backup.agent.store.Repository;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;

/**
 * Re-reads one snapshot's list, some pages at a time, and looks for its chunks in the index. For one thread, which has
 * others look.
 */
public final class ListVerification implements Closeable {

    /** So many pages of at most 4,096 chunks are read in one step. */
    private static final int STEP_PAGES = 64;

    /** So many are passed over in one step that were read before. */
    private static final int STEP_SEEN_PAGES = 4096;

    private final Repository repository;
    private final SnapshotFile file;
    private final long id;
    private final SeenPages seen;
    private final ContentCheck content;
    /** Pages that were looked at in this step; of a list that is deleted meanwhile nothing is told, so others must. */
    private final Set<PageAddress> looked = new HashSet<>();

    private boolean contentChecked;
    private int nextPage;

    /** What a page of the list refers to, or why that is not known. */
    private record PageRead(List<Fingerprint> references, Optional<IOException> problem) {}

    /**
     * Owns the file from now on.
     *
     * @param seen pages of shared lists that were looked at; those of this one are noted once what was found is told
     */
    public ListVerification(Repository repository, SnapshotFile file, SeenPages seen) {
        this.repository = repository;
        this.file = file;
        this.id = file.info().id();
        this.seen = seen;
        this.content = file.contentCheck();
    }

    /** Which snapshot's list it is. */
    public long id() {
        return id;
    }

    /**
     * Looks at some pages more; returns whether the list is done. Of a snapshot that was deleted meanwhile nothing is
     * missed.
     */
    public boolean step(VerifiedPart part) throws IOException {
        VerifiedPart found = new VerifiedPart();
        boolean done;
        looked.clear();
        try {
            done = find(found);
        } catch (DamagedDataException | FileSystemException e) {
            found.problem(e);
            done = true;
            looked.clear(); // Not all that they need was looked for.
        }
        boolean deleted = found.hasProblems() && !repository.catalogue().has(id);
        if (!deleted) {
            part.add(found);
            looked.forEach(seen::add);
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
        List<PageRead> pages = readNext();
        List<Fingerprint> references =
                pages.stream().flatMap(page -> page.references().stream()).toList();
        BitSet missing = lookUp(references, part);
        int first = 0;
        for (PageRead page : pages) {
            if (page.problem().isPresent()) {
                part.problem(page.problem().get());
            }
            int next = first + page.references().size();
            for (int i = missing.nextSetBit(first); i >= 0 && i < next; i = missing.nextSetBit(i + 1)) {
                part.problem("snapshot " + id + ": chunk " + references.get(i) + " is missing from the index");
            }
            first = next;
        }
        return nextPage == file.pages();
    }

    /** The next pages that were not seen; behind one whose file can't be opened there are none. */
    private List<PageRead> readNext() throws IOException {
        Optional<SharedPages> shared = file.shared();
        int end = Math.min(file.pages(), nextPage + STEP_SEEN_PAGES);
        List<PageRead> pages = new ArrayList<>();
        while (nextPage < end && pages.size() < STEP_PAGES) {
            int page = nextPage++;
            if (shared.isEmpty() || isFirst(shared.get().address(page))) {
                pages.add(read(page));
            }
        }
        return pages;
    }

    private boolean isFirst(PageAddress page) {
        return !seen.has(page) && looked.add(page);
    }

    private PageRead read(int page) throws IOException {
        try {
            return new PageRead(file.page(page).references(), Optional.empty());
        } catch (DamagedDataException e) {
            return new PageRead(List.of(), Optional.of(e));
        } catch (FileSystemException e) {
            nextPage = file.pages();
            return new PageRead(List.of(), Optional.of(e));
        }
    }

    /**
     * Each thread looks for those of a part of all fingerprints, so that it opens a page of the index once for many.
     * Returns which are missing.
     */
    private BitSet lookUp(List<Fingerprint> references, VerifiedPart part) throws IOException {
        BitSet missing = new BitSet();
        int bits = KeyPart.bitsFor(repository.workers().count());
        List<Optional<DamagedDataException>> damage = new ArrayList<>(Collections.nCopies(1 << bits, Optional.empty()));
        repository.workers().doAll(1 << bits, number -> {
            try {
                lookUp(references, new KeyPart(number, bits), missing);
            } catch (DamagedDataException e) {
                damage.set(number, Optional.of(e));
            }
        });
        for (Optional<DamagedDataException> each : damage) {
            if (each.isPresent()) {
                part.problem(each.get());
            }
        }
        return missing;
    }

    private void lookUp(List<Fingerprint> references, KeyPart keys, BitSet missing) throws IOException {
        int[] asked = IntStream.range(0, references.size())
                .filter(i -> keys.contains(references.get(i)))
                .toArray();
        List<Optional<ChunkLocation>> found = repository
                .chunks()
                .index()
                .findAll(Arrays.stream(asked).mapToObj(references::get).toList());
        synchronized (missing) {
            for (int i = 0; i < asked.length; i++) {
                missing.set(asked[i], found.get(i).isEmpty());
            }
        }
    }

    @Override
    public void close() throws IOException {
        file.close();
    }
}
