// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.catalogue;

import io.shredder.backup.snapshot.SnapshotName;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;

/**
 * The recorded snapshots in memory: by id, by namespace and by series, each ascending. Safe for any number of threads.
 */
final class CatalogueIndex {

    record Series(SnapshotName namespace, SnapshotName name) {}

    private final ConcurrentSkipListMap<Long, CatalogueEntry> all = new ConcurrentSkipListMap<>();
    private final Map<SnapshotName, ConcurrentSkipListMap<Long, CatalogueEntry>> byNamespace =
            new ConcurrentHashMap<>();
    private final Map<Series, ConcurrentSkipListMap<Long, CatalogueEntry>> bySeries = new ConcurrentHashMap<>();
    /** Exact: lengths are what clients say, and may be as long as numbers go. */
    private final Map<SnapshotName, BigInteger> imageBytes = new ConcurrentHashMap<>();

    private final Map<SnapshotName, BigInteger> quotaBytes = new ConcurrentHashMap<>();

    synchronized void add(CatalogueEntry added) {
        remove(added.id());
        CatalogueEntry entry = sharingNames(added);
        Long id = entry.id(); // One object for all three.
        byNamespace
                .computeIfAbsent(entry.namespace(), namespace -> new ConcurrentSkipListMap<>())
                .put(id, entry);
        bySeries.computeIfAbsent(new Series(entry.namespace(), entry.name()), series -> new ConcurrentSkipListMap<>())
                .put(id, entry);
        imageBytes.merge(entry.namespace(), BigInteger.valueOf(entry.imageBytes()), BigInteger::add);
        quotaBytes.merge(entry.namespace(), BigInteger.valueOf(entry.quotaBytes()), BigInteger::add);
        all.put(id, entry);
    }

    /** All entries of a series have the same names; as objects, too: else they take more memory than all else. */
    private CatalogueEntry sharingNames(CatalogueEntry entry) {
        Map.Entry<Long, CatalogueEntry> inSeries =
                of(entry.namespace(), entry.name()).firstEntry();
        if (inSeries != null) {
            return entry.with(
                    inSeries.getValue().namespace(), inSeries.getValue().name());
        }
        Map.Entry<Long, CatalogueEntry> inNamespace = of(entry.namespace()).firstEntry();
        return inNamespace == null ? entry : entry.with(inNamespace.getValue().namespace(), entry.name());
    }

    synchronized void remove(long id) {
        CatalogueEntry gone = all.remove(id);
        if (gone == null) {
            return;
        }
        byNamespace.computeIfPresent(gone.namespace(), (namespace, entries) -> without(entries, id));
        bySeries.computeIfPresent(new Series(gone.namespace(), gone.name()), (series, entries) -> without(entries, id));
        imageBytes.merge(gone.namespace(), BigInteger.valueOf(-gone.imageBytes()), BigInteger::add);
        quotaBytes.merge(gone.namespace(), BigInteger.valueOf(-gone.quotaBytes()), BigInteger::add);
    }

    private static @Nullable ConcurrentSkipListMap<Long, CatalogueEntry> without(
            ConcurrentSkipListMap<Long, CatalogueEntry> entries, long id) {
        entries.remove(id);
        return entries.isEmpty() ? null : entries;
    }

    Optional<CatalogueEntry> find(long id) {
        return Optional.ofNullable(all.get(id));
    }

    NavigableMap<Long, CatalogueEntry> all() {
        return Collections.unmodifiableNavigableMap(all);
    }

    NavigableMap<Long, CatalogueEntry> of(SnapshotName namespace) {
        return view(byNamespace.get(namespace));
    }

    NavigableMap<Long, CatalogueEntry> of(SnapshotName namespace, SnapshotName name) {
        return view(bySeries.get(new Series(namespace, name)));
    }

    private static NavigableMap<Long, CatalogueEntry> view(
            @Nullable ConcurrentSkipListMap<Long, CatalogueEntry> entries) {
        return entries == null ? Collections.emptyNavigableMap() : Collections.unmodifiableNavigableMap(entries);
    }

    SortedSet<SnapshotName> namespaces() {
        SortedSet<SnapshotName> names = new TreeSet<>(Comparator.comparing(SnapshotName::value));
        names.addAll(byNamespace.keySet());
        return names;
    }

    List<SeriesStanding> series() {
        List<SeriesStanding> all = new ArrayList<>();
        bySeries.values().forEach(entries -> {
            Map.Entry<Long, CatalogueEntry> last = entries.lastEntry();
            if (last != null) { // It may have been pruned meanwhile.
                all.add(new SeriesStanding(entries.size(), last.getValue()));
            }
        });
        return all;
    }

    /** Of all snapshots of a namespace together, or the largest number if that is more. */
    long imageBytes(SnapshotName namespace) {
        return sum(imageBytes, namespace);
    }

    /** What they count of the namespace's quota. */
    long quotaBytes(SnapshotName namespace) {
        return sum(quotaBytes, namespace);
    }

    private static long sum(Map<SnapshotName, BigInteger> sums, SnapshotName namespace) {
        return sums.getOrDefault(namespace, BigInteger.ZERO)
                .min(BigInteger.valueOf(Long.MAX_VALUE))
                .longValueExact();
    }
}
