// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.memo;

import io.shredder.chunk.Fingerprint;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** All entries of one job identity, by chunk. Built at submission; not safe for use by several threads. */
public final class MemoCatalog {

    private final Map<Fingerprint, MemoRef> reusable = new HashMap<>();
    private int positionDependent;

    /**
     * Where an entry lies.
     *
     * @param file name of the memo file, in its identity's folder
     * @param ordinal the entry's place in that file, from 0
     */
    public record MemoRef(String file, int ordinal) {}

    void add(String file, int ordinal, MemoEntry entry) {
        if (entry.reuse() == Reuse.REUSABLE) {
            reusable.putIfAbsent(entry.fingerprint(), new MemoRef(file, ordinal));
        } else if (entry.reuse() == Reuse.POSITION_DEPENDENT) {
            positionDependent++;
        }
    }

    /** The output of a chunk, if an earlier job has left it. */
    public Optional<MemoRef> find(Fingerprint chunk) {
        return Optional.ofNullable(reusable.get(chunk));
    }

    /** Whether every output seen so far depends on where its chunk lay, so that keeping more of them helps nobody. */
    public boolean isUseless() {
        return reusable.isEmpty() && positionDependent > 0;
    }
}
