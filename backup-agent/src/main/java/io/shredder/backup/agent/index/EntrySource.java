// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.index;

import java.io.IOException;
import java.util.Iterator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Entries in ascending order of their fingerprints, each fingerprint once. */
interface EntrySource {

    /** The next entry, null after the last. */
    @Nullable
    IndexEntry next() throws IOException;

    static EntrySource of(List<IndexEntry> sorted) {
        Iterator<IndexEntry> entries = sorted.iterator();
        return () -> entries.hasNext() ? entries.next() : null;
    }
}
