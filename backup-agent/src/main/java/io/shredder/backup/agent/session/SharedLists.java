// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.session;

import io.shredder.backup.agent.lists.SharedPages;
import io.shredder.backup.agent.lists.SnapshotDraft;
import io.shredder.backup.agent.store.Repository;
import io.shredder.backup.snapshot.ListPage;
import io.shredder.backup.wire.ErrorCode;
import io.shredder.backup.wire.ListRequest;
import io.shredder.backup.wire.PageDigests;
import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.io.IOException;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What clients ask about the pages of shared lists. One thread. */
final class SharedLists {

    private static final Logger LOG = LoggerFactory.getLogger(SharedLists.class);

    private final Repository repository;

    SharedLists(Repository repository) {
        this.repository = repository;
    }

    /** Some digests; a page is sound if it can be read, and none of its chunks is known to be damaged or missing. */
    PageDigests digests(ListRequest.ListPages asked, SharedPages pages) throws IOException, RefusedException {
        checkPages(asked.first(), 0, asked.snapshotId(), pages);
        int most = asked.check() ? PageDigests.MAX_CHECKED : PageDigests.MAX_DIGESTS;
        int end = (int) Math.min(pages.count(), (long) asked.first() + most);
        List<Fingerprint> digests = new ArrayList<>(end - asked.first());
        BitSet sound = new BitSet();
        for (int page = asked.first(); page < end; page++) {
            digests.add(pages.digest(page));
            sound.set(page - asked.first(), !asked.check() || isSound(pages, page));
        }
        return new PageDigests(pages.count(), digests, sound);
    }

    private boolean isSound(SharedPages pages, int page) throws IOException {
        try {
            List<Fingerprint> references = pages.page(page).references();
            return !repository.chunks().mayLack()
                    || repository.chunks().findWhole(references).stream().allMatch(found -> found.isPresent());
        } catch (DamagedDataException e) {
            LOG.warn("a backup sends page {} of a list again: {}", page, e.getMessage());
            return false;
        }
    }

    /** Refuses pages that a list does not have. */
    static void checkPages(int first, int count, long snapshotId, SharedPages pages) throws RefusedException {
        if ((long) first + count > pages.count()) {
            throw new RefusedException(
                    ErrorCode.NOT_FOUND,
                    "snapshot " + snapshotId + " has " + pages.count() + " pages, not " + count + " from " + first
                            + " on");
        }
    }

    /** Refuses pages beyond what a shared list may have. */
    static void checkRoom(SnapshotDraft open, int more) throws RefusedException {
        if (open.isShared() && more > ListPage.MAX_SHARED_PAGES - open.pages()) {
            throw new RefusedException(
                    ErrorCode.INVALID,
                    "a shared list has at most " + ListPage.MAX_SHARED_PAGES
                            + " pages: back up with longer chunks, or with a private list");
        }
    }

    /** Puts a whole copy in the place of a damaged page; returns whether it was damaged. */
    boolean mend(ListPage whole, SharedPages pages) throws IOException, RefusedException {
        int number = whole.number();
        if (number >= pages.count() || !whole.digest().equals(pages.digest(number))) {
            throw new RefusedException(ErrorCode.INVALID, "no page " + number + " of that list is this one");
        }
        try {
            pages.page(number);
            return false;
        } catch (DamagedDataException e) {
            repository.catalogue().mend(pages.address(number), whole);
            LOG.info("mended: {}", e.getMessage());
            return true;
        }
    }
}
