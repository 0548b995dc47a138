// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent;

import io.shredder.backup.agent.container.ContainerHeads;
import io.shredder.backup.protocol.VerifyScope;
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

/**
 * Which containers a verification reads, and what the index says is in them: asked for the next few containers at a time, so that memory is bounded
 * whatever the index's size. A container that is missing is among them if the index points to it. One thread.
 */
final class VerificationPlan {

    /** About 100 bytes of memory each. */
    private static final int WINDOW_ENTRIES = 1 << 18;

    private static final long GOLDEN_GAMMA = 0x9E3779B97F4A7C15L;

    private final ChunkStore chunks;
    private final NavigableMap<Integer, Count> containers;
    private Map<Integer, List<ContainerHeads.Entry>> window = new HashMap<>();

    /** What the index has in a container. */
    private static final class Count {
        private int entries;
        private long bytes;
    }

    private VerificationPlan(ChunkStore chunks, NavigableMap<Integer, Count> containers) {
        this.chunks = chunks;
        this.containers = containers;
    }

    /** Reads the whole index once. */
    static VerificationPlan make(ChunkStore chunks, VerifyScope scope) throws IOException {
        NavigableMap<Integer, Count> all = new TreeMap<>();
        chunks.index().forEach((fingerprint, location) -> {
            Count count = all.computeIfAbsent(location.container(), number -> new Count());
            count.entries++;
            count.bytes += location.plainBytes();
        });
        VerificationPlan plan = new VerificationPlan(chunks, all);
        plan.leaveOutOlder(scope);
        plan.leaveOutAllButASample(scope);
        return plan;
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
        if (container == chunks.end().container()) {
            return false; // Some storages tell when it was begun.
        }
        try {
            return chunks.containers().lastModified(container).isBefore(scope.since());
        } catch (NoSuchFileException e) {
            return false;
        }
    }

    private void leaveOutAllButASample(VerifyScope scope) {
        long total =
                containers.values().stream().mapToLong(count -> count.bytes).sum();
        double wanted = (double) total * scope.millionths() / VerifyScope.ALL;
        List<Integer> drawn = new ArrayList<>(containers.keySet());
        drawn.sort(Comparator.comparingLong(container -> mixed(scope.seed() + container * GOLDEN_GAMMA)));
        long taken = 0;
        for (int container : drawn) {
            if (scope.millionths() < VerifyScope.ALL && taken >= wanted) {
                containers.remove(container);
            } else {
                taken += containers.getOrDefault(container, new Count()).bytes;
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

    /** What the index has in a container of the plan, in the order in which it lies there. What was put there since the plan was made may be left out. */
    List<ContainerHeads.Entry> entries(int container) throws IOException {
        if (!window.containsKey(container)) {
            gatherFrom(container);
        }
        List<ContainerHeads.Entry> here = window.getOrDefault(container, List.of());
        here.sort(Comparator.comparingInt(entry -> entry.location().offset()));
        return here;
    }

    private void gatherFrom(int first) throws IOException {
        window = new HashMap<>();
        long entries = 0;
        for (Map.Entry<Integer, Count> next : containers.tailMap(first, true).entrySet()) {
            entries += next.getValue().entries;
            if (!window.isEmpty() && entries > WINDOW_ENTRIES) {
                break;
            }
            window.put(next.getKey(), new ArrayList<>(next.getValue().entries));
        }
        chunks.index().forEach((fingerprint, location) -> {
            List<ContainerHeads.Entry> here = window.get(location.container());
            if (here != null) {
                here.add(new ContainerHeads.Entry(fingerprint, location));
            }
        });
    }
}
