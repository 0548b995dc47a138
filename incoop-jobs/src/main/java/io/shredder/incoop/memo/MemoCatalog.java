// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.memo;

import io.shredder.chunk.Fingerprint;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** All entries of one job identity, by kind and key. Built at submission; not safe for use by several threads. */
public final class MemoCatalog {

    /** Nodes may differ, and change: so many states of what a chunk's map has read are worth being looked at. */
    private static final int MOST_CANDIDATES = 8;

    private final Map<MemoKind, Map<Fingerprint, List<Known>>> reusable = new EnumMap<>(MemoKind.class);
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
     * @param dependencies what has to stand as it did
     * @param leafId what it is known by in the contraction tree, if it is a leaf
     * @param bytes of its segments together
     */
    public record Known(
            MemoRef ref, List<CounterValue> counters, List<Dependency> dependencies, Fingerprint leafId, long bytes) {}

    private final Predicate<List<Dependency>> hold;

    /** @param hold whether dependencies stand as they did */
    MemoCatalog(Predicate<List<Dependency>> hold) {
        this.hold = hold;
    }

    void add(MemoKind kind, String file, int ordinal, MemoEntry entry) {
        if (entry.reuse() == Reuse.REUSABLE) {
            long bytes = entry.segments().stream().mapToLong(SegmentRef::length).sum();
            Known known = new Known(
                    new MemoRef(file, ordinal), entry.counters(), entry.dependencies(), entry.leafId(), bytes);
            reusable.computeIfAbsent(kind, any -> new HashMap<>())
                    .computeIfAbsent(entry.key(), key -> new ArrayList<>(1))
                    .add(known);
        } else if (entry.reuse() == Reuse.POSITION_DEPENDENT) {
            positionDependent++;
        }
    }

    /** An entry, if an earlier job has left it and all that it depends on stands as it did then. */
    public Optional<Known> find(MemoKind kind, Fingerprint key) {
        return of(kind).getOrDefault(key, List.of()).stream()
                .filter(known -> known.dependencies().isEmpty() || hold.test(known.dependencies()))
                .findFirst();
    }

    /** All entries with a key, whatever they depend on, the newest first. */
    public List<Known> all(MemoKind kind, Fingerprint key) {
        List<Known> all = new ArrayList<>(of(kind).getOrDefault(key, List.of()));
        Collections.reverse(all);
        return all;
    }

    /**
     * Leaves of which a node has to say whether they stand, the newest first: all but what they have read of the
     * machine that made them stands as it did. Of several that were made of the same there is one.
     *
     * @return at most {@value #MOST_CANDIDATES}
     */
    public List<Known> onNodes(Fingerprint chunk) {
        Map<Fingerprint, Known> byId = new LinkedHashMap<>();
        for (Known known : all(MemoKind.LEAVES, chunk)) {
            List<Dependency> here = known.dependencies().stream()
                    .filter(one -> !one.kind().isOfMachine())
                    .toList();
            boolean isNodes = here.size() < known.dependencies().size();
            if (isNodes && byId.size() < MOST_CANDIDATES && hold.test(here)) {
                byId.putIfAbsent(known.leafId(), known);
            }
        }
        return List.copyOf(byId.values());
    }

    /**
     * Whether every output seen so far depends on where its chunk or split lay, so that keeping more of them helps
     * nobody.
     *
     * @param kind of what the job's maps give
     */
    public boolean isUseless(MemoKind kind) {
        return of(kind).isEmpty() && positionDependent > 0;
    }

    private Map<Fingerprint, List<Known>> of(MemoKind kind) {
        return reusable.getOrDefault(kind, Map.of());
    }
}
