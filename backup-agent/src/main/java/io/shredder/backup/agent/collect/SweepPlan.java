// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.collect;

import io.shredder.backup.agent.container.ContainerHeads;
import io.shredder.backup.agent.container.ContainerPosition;
import io.shredder.backup.agent.container.ReleasableSpace;
import io.shredder.backup.agent.file.FileHeader;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.PriorityQueue;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * What to do with which containers. Where space can be released inside of them, all that hold garbage are looked
 * through for that; the rest are swept, those first that give most for the least copying.
 */
final class SweepPlan {

    static final SweepPlan EMPTY = new SweepPlan(false, 0, List.of(), List.of(), null);

    private static final int GROUP = 8;
    private static final long GROUP_COPY_BYTES = 32 << 20;
    /**
     * Entries of the index that are looked at together: 8 bytes of memory for each that lives, about 100 for each that
     * is dead.
     */
    private static final long WINDOW_ENTRIES = 1 << 19;

    private final boolean made;
    private final long garbageBytes;
    private final @Nullable Map<Integer, ContainerGaps> gaps;
    private final Deque<Use> toRelease;
    private final PriorityQueue<Use> toSweep =
            new PriorityQueue<>(Comparator.comparingDouble(Use::liveShare).thenComparingInt(Use::container));

    /**
     * A container.
     *
     * @param bytes how long it is
     * @param occupiedBytes how much space it takes
     * @param liveBytes how much of it lives
     * @param entries of the index that are in it
     */
    record Use(int container, long bytes, long occupiedBytes, long liveBytes, long entries) {

        long garbageBytes() {
            return Math.max(0, occupiedBytes - FileHeader.BYTES - liveBytes);
        }

        boolean lives() {
            return liveBytes > 0;
        }

        double liveShare() {
            return (double) liveBytes / Math.max(1, bytes);
        }

        boolean isWorthIt(int minGarbagePercent) {
            return !lives() || (garbageBytes() > 0 && garbageBytes() * 100 >= minGarbagePercent * occupiedBytes);
        }
    }

    /** What the index says of a container. */
    private static final class Count {
        private long liveBytes;
        private long entries;
    }

    private SweepPlan(
            boolean made,
            long garbageBytes,
            List<Use> toRelease,
            List<Use> toSweep,
            @Nullable Map<Integer, ContainerGaps> gaps) {
        this.made = made;
        this.garbageBytes = garbageBytes;
        this.gaps = gaps;
        this.toRelease = new ArrayDeque<>(toRelease);
        this.toSweep.addAll(toSweep);
    }

    static SweepPlan make(CollectedChunks chunks, ChunkMarks marks, int minGarbagePercent) throws IOException {
        List<Use> toRelease = new ArrayList<>();
        List<Use> toSweep = new ArrayList<>();
        List<Use> left = new ArrayList<>();
        long garbageBytes = 0;
        boolean fits = chunks.space().isSupported() && chunks.index().size() <= WINDOW_ENTRIES;
        Map<Integer, ContainerGaps> gaps = fits ? new HashMap<>() : null;
        for (Use use : uses(chunks, marks, gaps)) {
            garbageBytes += use.garbageBytes();
            if (mayRelease(chunks.space(), use)) {
                toRelease.add(use);
            } else if (use.isWorthIt(minGarbagePercent)) {
                toSweep.add(use);
            } else {
                left.add(use);
            }
        }
        if (!chunks.containers().storage().resumes()) {
            toSweep.addAll(SmallContainers.toJoin(left));
        }
        return new SweepPlan(true, garbageBytes, toRelease, toSweep, gaps);
    }

    private static boolean mayRelease(ReleasableSpace space, Use use) {
        return use.lives()
                && use.garbageBytes() > 0
                && space.isSupported()
                && !space.isSettled(use.container(), use.garbageBytes());
    }

    /**
     * All containers up to the line, but one that holds nothing yet; of missing ones those of which nothing lives. What
     * lies between is left in {@code gaps} unless that is null.
     */
    private static List<Use> uses(CollectedChunks chunks, ChunkMarks marks, @Nullable Map<Integer, ContainerGaps> gaps)
            throws IOException {
        SortedMap<Integer, Long> sizes = chunks.containers().sizes();
        Map<Integer, Count> counts = new HashMap<>();
        ChunkMarks counted = new ChunkMarks(ContainerPosition.END);
        chunks.index().forEach((fingerprint, location) -> {
            Count count = counts.computeIfAbsent(location.container(), number -> new Count());
            count.entries++;
            boolean live = marks.isLive(location);
            if (live && counted.markFirst(location)) {
                count.liveBytes += ContainerHeads.recordBytes(location.storedBytes());
            }
            if (gaps != null && !marks.isBehindLine(location)) {
                gaps.computeIfAbsent(location.container(), number -> new ContainerGaps())
                        .add(fingerprint, location, live);
            }
        });
        List<Use> uses = new ArrayList<>();
        for (Map.Entry<Integer, Long> size : sizes.entrySet()) {
            int number = size.getKey();
            long bytes = size.getValue();
            boolean empty = bytes <= FileHeader.BYTES && number == chunks.end().container();
            if (number <= marks.line().container() && !empty) {
                uses.add(use(chunks, number, bytes, counts.getOrDefault(number, new Count())));
            }
        }
        // What nothing needs of a container that somebody has deleted leaves the index all the same.
        counts.forEach((number, count) -> {
            if (count.liveBytes == 0 && number <= marks.line().container() && !sizes.containsKey(number)) {
                uses.add(new Use(number, 0, 0, 0, count.entries));
            }
        });
        return uses;
    }

    private static Use use(CollectedChunks chunks, int container, long bytes, Count count) throws IOException {
        long occupied = bytes;
        if (bytes - FileHeader.BYTES > count.liveBytes && chunks.space().isSupported()) {
            occupied = chunks.space().occupiedBytes(container, bytes);
        }
        return new Use(container, bytes, occupied, count.liveBytes, count.entries);
    }

    boolean isMade() {
        return made;
    }

    /** Bytes that are taken and that nothing needs, in all containers. */
    long garbageBytes() {
        return garbageBytes;
    }

    boolean isEmpty() {
        return size() == 0;
    }

    int size() {
        return toRelease.size() + toSweep.size();
    }

    /** Whether there are containers to be looked through for space to release. */
    boolean hasWindow() {
        return !toRelease.isEmpty();
    }

    /** The next containers to look through together; they leave the plan. */
    List<Use> nextWindow() {
        List<Use> window = new ArrayList<>();
        long entries = 0;
        while (!toRelease.isEmpty()
                && (window.isEmpty() || entries + toRelease.element().entries() <= WINDOW_ENTRIES)) {
            entries += toRelease.element().entries();
            window.add(toRelease.remove());
        }
        return window;
    }

    /**
     * What lies between the chunks that live in each container, if the index is so small that it was gathered on the
     * way.
     */
    Optional<Map<Integer, ContainerGaps>> gaps() {
        return Optional.ofNullable(gaps);
    }

    /** A container is to be swept after all. */
    void copy(Use use) {
        toSweep.add(use);
    }

    /**
     * The next containers to sweep together; they leave the plan. Those without any life come by themselves: they need
     * no room for copies, and give some to the others, of which so many come together as need little room, or one.
     */
    List<Integer> nextGroup() {
        List<Integer> group = new ArrayList<>();
        long copies = 0;
        while (group.size() < GROUP && !toSweep.isEmpty()) {
            Use next = toSweep.element();
            boolean another = copies == 0 ? !next.lives() : copies + next.liveBytes() <= GROUP_COPY_BYTES;
            if (!group.isEmpty() && !another) {
                break;
            }
            copies += next.liveBytes();
            group.add(toSweep.remove().container());
        }
        return group;
    }
}
