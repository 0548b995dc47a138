// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.lists;

import io.shredder.backup.snapshot.ContentDigest;
import io.shredder.backup.snapshot.ListPage;
import java.io.Closeable;
import java.io.IOException;
import java.util.Optional;

/** The pages of one committed list, wherever they are. For one thread. */
interface ListedPages extends Closeable {

    /** How many. */
    int count();

    /**
     * The same for another thread, as long as the snapshot's file is open.
     *
     * @param packs that thread's, which the pages may be read from; not to be closed before the pages were read
     */
    ListedPages forAnother(OpenPacks packs);

    /** A page, as far as its CRC and number tell; one of a shared list is the one that the list has. */
    ListPage page(int number) throws IOException;

    /**
     * Reads a page and adds it to the digest of the whole list.
     *
     * @param seen pages that need not be read again
     * @return empty if the page had been seen
     */
    Optional<ListPage> unseenPage(int number, SeenPages seen, ContentDigest digest) throws IOException;

    /** Adds some pages to the digest of the whole list; of pages that lie elsewhere what is said of them there. */
    void addTo(ContentDigest digest, int first, int count) throws IOException;

    /** Checks that the list is what was committed, as far as that can be done without reading the pages of others. */
    void checkStart() throws IOException;
}
