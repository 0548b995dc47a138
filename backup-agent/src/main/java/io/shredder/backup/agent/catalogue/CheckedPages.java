// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.catalogue;

import io.shredder.backup.protocol.ContentDigest;
import io.shredder.backup.protocol.ListPage;
import io.shredder.chunk.DamagedDataException;
import java.io.IOException;

/** Reads all pages of a snapshot, each once, and tells at their end whether they are what was committed. For one thread; it closes nothing. */
public final class CheckedPages {

    private final SnapshotFile file;
    private final ContentDigest digest;
    private int next;

    /** Checks that the first page is where it should be. */
    public CheckedPages(SnapshotFile file) throws DamagedDataException {
        file.checkFirstPage();
        this.file = file;
        this.digest = new ContentDigest(file.info().seal());
    }

    /** Whether there is another page. */
    public boolean hasNext() {
        return next < file.pages();
    }

    /** The next page. */
    public ListPage next() throws IOException {
        ListPage page = file.page(next++);
        digest.add(page);
        return page;
    }

    /**
     * To be called behind the last page, once.
     *
     * @throws DamagedDataException if together they have another digest
     */
    public void checkEnd() throws DamagedDataException {
        if (hasNext() || !digest.finish().equals(file.info().contentDigest())) {
            throw file.damagedContent();
        }
    }
}
