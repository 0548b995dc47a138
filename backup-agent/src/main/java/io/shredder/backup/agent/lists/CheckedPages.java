// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.lists;

import io.shredder.backup.snapshot.ContentDigest;
import io.shredder.backup.snapshot.ListPage;
import io.shredder.chunk.DamagedDataException;
import java.io.IOException;
import java.util.Optional;

/**
 * Reads all pages of a snapshot, each once, and tells at their end whether they are what was committed. For one thread,
 * which may be another than that which reads the file.
 */
public final class CheckedPages {

    private final SnapshotFile file;
    private final ListedPages listed;
    private final ContentDigest digest;
    private final SeenPages seen;
    private int next;

    /**
     * Checks that the first page is where it should be.
     *
     * @param packs that shared pages are read from; to be closed by its owner behind the last page
     * @param seen pages of shared lists that were read before and need not be again; those that are read now are noted
     */
    public CheckedPages(SnapshotFile file, OpenPacks packs, SeenPages seen) throws IOException {
        this.listed = file.listed().forAnother(packs);
        listed.checkStart();
        this.file = file;
        this.seen = seen;
        this.digest = new ContentDigest(file.info().seal());
    }

    /** Whether there is another page. */
    public boolean hasNext() {
        return next < listed.count();
    }

    /** The next page; empty if it was seen. */
    public Optional<ListPage> next() throws IOException {
        return listed.unseenPage(next++, seen, digest);
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
