// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.verify;

import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.backup.agent.index.FingerprintIndex;
import io.shredder.backup.agent.index.KeyPart;
import io.shredder.backup.agent.store.ChunkStore;
import io.shredder.backup.agent.store.IndexedContainer;
import io.shredder.backup.agent.store.Repository;
import io.shredder.backup.agent.store.SharedWindows;
import io.shredder.backup.agent.workers.Workers;
import io.shredder.backup.wire.VerifyScope;
import io.shredder.chunk.Fingerprint;
import java.io.Closeable;
import java.io.IOException;
import java.nio.file.NoSuchFileException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;

/**
 * Which containers a verification reads, and what the index says is in them: asked for the next few containers at a
 * time, so that memory is bounded whatever the index's size. A container that is missing is among them if the index
 * points to it. For one thread, which has others go through the index.
 */
public final class VerificationPlan implements Closeable {

    private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

    private final ChunkStore chunks;
    private final Workers workers;
    private final NavigableMap<Integer, Count> containers;
    private final SharedWindows windows;
    private Map<Integer, IndexedContainer> window = new HashMap<>();

    /** What the index has in a container. */
    private static final class Count {
        private final AtomicInteger entries = new AtomicInteger();
        private final AtomicLong bytes = new AtomicLong();
    }

    private VerificationPlan(
            ChunkStore chunks, Workers workers, SharedWindows windows, NavigableMap<Integer, Count> containers) {
        this.chunks = chunks;
        this.workers = workers;
        this.containers = containers;
        this.windows = windows;
        windows.begin();
    }

    /** Reads the whole index once. */
    public static VerificationPlan make(Repository repository, VerifyScope scope) throws IOException {
        ChunkStore chunks = repository.chunks();
        Workers workers = repository.workers();
        ConcurrentMap<Integer, Count> all = new ConcurrentHashMap<>();
        ConcurrentMap<Integer, IndexedContainer> gathered = new ConcurrentHashMap<>();
        SharedWindows windows = repository.windows();
        boolean fits = chunks.index().size() <= windows.share();
        forEach(chunks.index(), workers, (fingerprint, location) -> {
            Count count = all.computeIfAbsent(location.container(), number -> new Count());
            count.entries.incrementAndGet();
            count.bytes.addAndGet(location.plainBytes());
            if (fits) {
                gathered.computeIfAbsent(location.container(), number -> new IndexedContainer(number, 0))
                        .add(fingerprint, location);
            }
        });
        VerificationPlan plan = new VerificationPlan(chunks, workers, windows, new TreeMap<>(all));
        plan.window = gathered;
        try {
            plan.leaveOutOlder(scope);
            plan.leaveOutAllButASample(scope);
            return plan;
        } catch (IOException | RuntimeException e) {
            plan.close();
            throw e;
        }
    }

    /** Visits every chunk of the index, by all threads at once. */
    private static void forEach(FingerprintIndex index, Workers workers, BiConsumer<Fingerprint, ChunkLocation> visitor)
            throws IOException {
        int bits = KeyPart.bitsFor(workers.count());
        workers.doAll(1 << bits, number -> index.forEach(new KeyPart(number, bits), visitor));
    }

    private void leaveOutOlder(VerifyScope scope) throws IOException {
        if (!scope.since().equals(VerifyScope.EVERYTHING.since())) {
            for (int container : List.copyOf(containers.keySet())) {
                if (isOlder(container, scope)) {
                    containers.remove(container);
                }
            }
        }
    }

    private boolean isOlder(int container, VerifyScope scope) throws IOException {
        if (chunks.mayGrow(container)) {
            return false; // Some storages tell when it was begun.
        }
        try {
            return chunks.containers().lastModified(container).isBefore(scope.since());
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    private void leaveOutAllButASample(VerifyScope scope) {
        long total = containers.values().stream()
                .mapToLong(count -> count.bytes.get())
                .sum();
        double wanted = (double) total * scope.millionths() / VerifyScope.ALL;
        List<Integer> drawn = new ArrayList<>(containers.keySet());
        drawn.sort(Comparator.comparingLong(container -> mixed(scope.seed() + container * GOLDEN_GAMMA)));
        long taken = 0;
        for (int container : drawn) {
            if (scope.millionths() < VerifyScope.ALL && taken >= wanted) {
                containers.remove(container);
            } else {
                taken += containers.getOrDefault(container, new Count()).bytes.get();
            }
        }
    }

    /** The output function of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number generators, 2014). */
    private static long mixed(long state) {
        long value = (state ^ (state >>> 30)) * 0xBF58476D1CE4E5B9L;
        value = (value ^ (value >>> 27)) * 0x94D049BB133111EBL;
        return value ^ (value >>> 31);
    }

    /** The next container after one, 0 for the first. */
    Optional<Integer> after(int container) {
        return Optional.ofNullable(containers.higherKey(container));
    }

    /**
     * What the index has in a container of the plan. What was put there since the plan was made may be left out. A
     * small index has told all of it when the plan was made.
     */
    IndexedContainer entries(int container) throws IOException {
        if (!window.containsKey(container)) {
            gatherFrom(container);
        }
        return window.getOrDefault(container, new IndexedContainer(container, 0));
    }

    private void gatherFrom(int first) throws IOException {
        window = new HashMap<>();
        long mostEntries = windows.share();
        long entries = 0;
        for (Map.Entry<Integer, Count> next : containers.tailMap(first, true).entrySet()) {
            int here = next.getValue().entries.get();
            entries += here;
            if (!window.isEmpty() && entries > mostEntries) {
                break;
            }
            window.put(next.getKey(), new IndexedContainer(next.getKey(), here));
        }
        forEach(chunks.index(), workers, (fingerprint, location) -> {
            IndexedContainer here = window.get(location.container());
            if (here != null) {
                here.add(fingerprint, location);
            }
        });
    }

    /** To be called once: it needs no memory any more. */
    @Override
    public void close() {
        window = new HashMap<>();
        windows.end();
    }
}
