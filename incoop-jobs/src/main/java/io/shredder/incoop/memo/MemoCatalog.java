// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.memo;

import io.shredder.chunk.Fingerprint;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** All entries of one job identity, by kind and key. Built at submission; not safe for use by several threads. */
public final class MemoCatalog {

    private final Map<MemoKind, Map<Fingerprint, Known>> reusable = new EnumMap<>(MemoKind.class);
    private int positionDependent;

    /**
     * Where an entry lies.
     *
     * @param file name of the memo file, in its identity's folder
     * @param ordinal the entry's place in that file, from 0
     */
    public record MemoRef(String file, int ordinal) {}

    /**
     * An entry that may be used.
     *
     * @param counters what its computation has counted
     */
    public record Known(MemoRef ref, List<CounterValue> counters) {}

    MemoCatalog() {
        for (MemoKind kind : MemoKind.values()) {
            reusable.put(kind, new HashMap<>());
        }
    }

    void add(MemoKind kind, String file, int ordinal, MemoEntry entry) {
        if (entry.reuse() == Reuse.REUSABLE) {
            of(kind).putIfAbsent(entry.key(), new Known(new MemoRef(file, ordinal), entry.counters()));
        } else if (entry.reuse() == Reuse.POSITION_DEPENDENT) {
            positionDependent++;
        }
    }

    /** An entry, if an earlier job has left it. */
    public Optional<Known> find(MemoKind kind, Fingerprint key) {
        return Optional.ofNullable(of(kind).get(key));
    }

    /** Whether every output seen so far depends on where its chunk lay, so that keeping more of them helps nobody. */
    public boolean isUseless() {
        return of(MemoKind.LEAVES).isEmpty() && positionDependent > 0;
    }

    private Map<Fingerprint, Known> of(MemoKind kind) {
        return reusable.getOrDefault(kind, Map.of());
    }
}
