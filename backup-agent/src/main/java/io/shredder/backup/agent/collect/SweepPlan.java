// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.collect;

import io.shredder.backup.agent.container.ContainerHeads;
import io.shredder.backup.agent.file.FileHeader;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;

/** Which containers are to go, those first that give most for the least copying. */
final class SweepPlan {

    static final SweepPlan EMPTY = new SweepPlan(false, 0, List.of());

    private static final int GROUP = 8;
    private static final long GROUP_COPY_BYTES = 32 << 20;

    private final boolean made;
    private final long garbageBytes;
    private final Deque<Use> containers;

    /** A container, how long it is and how much of it lives. */
    private record Use(int container, long bytes, long liveBytes) {

        long garbageBytes() {
            return Math.max(0, bytes - FileHeader.BYTES - liveBytes);
        }

        boolean lives() {
            return liveBytes > 0;
        }

        double liveShare() {
            return (double) liveBytes / Math.max(1, bytes);
        }

        boolean isWorthIt(int minGarbagePercent) {
            return !lives() || (garbageBytes() > 0 && garbageBytes() * 100 >= minGarbagePercent * bytes);
        }
    }

    private SweepPlan(boolean made, long garbageBytes, List<Use> containers) {
        this.made = made;
        this.garbageBytes = garbageBytes;
        this.containers = new ArrayDeque<>(containers);
    }

    static SweepPlan make(CollectedChunks chunks, ChunkMarks marks, int minGarbagePercent) throws IOException {
        List<Use> uses = new ArrayList<>();
        long garbageBytes = 0;
        for (Use use : uses(chunks, marks)) {
            garbageBytes += use.garbageBytes();
            if (use.isWorthIt(minGarbagePercent)) {
                uses.add(use);
            }
        }
        uses.sort(Comparator.comparingDouble(Use::liveShare).thenComparingInt(Use::container));
        return new SweepPlan(true, garbageBytes, uses);
    }

    /** All containers up to the line, but one that holds nothing yet. */
    private static List<Use> uses(CollectedChunks chunks, ChunkMarks marks) throws IOException {
        SortedMap<Integer, Long> sizes = chunks.containers().sizes();
        Map<Integer, Long> live = new HashMap<>();
        chunks.index().forEach((fingerprint, location) -> {
            if (marks.isLive(location)) {
                live.merge(location.container(), ContainerHeads.recordBytes(location.storedBytes()), Long::sum);
            }
        });
        List<Use> uses = new ArrayList<>();
        for (Map.Entry<Integer, Long> size : sizes.entrySet()) {
            int number = size.getKey();
            long bytes = size.getValue();
            boolean empty = bytes <= FileHeader.BYTES && number == chunks.end().container();
            if (number <= marks.line().container() && !empty) {
                uses.add(new Use(number, bytes, live.getOrDefault(number, 0L)));
            }
        }
        return uses;
    }

    boolean isMade() {
        return made;
    }

    /** Bytes of chunks that nothing needs, in all containers. */
    long garbageBytes() {
        return garbageBytes;
    }

    boolean isEmpty() {
        return containers.isEmpty();
    }

    int size() {
        return containers.size();
    }

    /**
     * The next containers to sweep together; they leave the plan. Those without any life come by themselves: they need no room for
     * copies, and give some to the others, of which so many come together as need little room, or one.
     */
    List<Integer> nextGroup() {
        List<Integer> group = new ArrayList<>();
        long copies = 0;
        while (group.size() < GROUP && !containers.isEmpty()) {
            Use next = containers.element();
            boolean another = copies == 0 ? !next.lives() : copies + next.liveBytes() <= GROUP_COPY_BYTES;
            if (!group.isEmpty() && !another) {
                break;
            }
            copies += next.liveBytes();
            group.add(containers.remove().container());
        }
        return group;
    }
}
