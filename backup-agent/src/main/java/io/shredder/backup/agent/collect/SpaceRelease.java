// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.collect;

import com.google.common.collect.Range;
import com.google.common.collect.RangeSet;
import com.google.common.collect.TreeRangeSet;
import io.shredder.backup.agent.audit.AuditLog;
import io.shredder.backup.agent.container.ContainerHeads;
import io.shredder.backup.agent.file.SpaceReserve;
import io.shredder.backup.agent.file.Span;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Gives back the space of dead chunks where they lie, without copying those that live. The order makes it safe: a range
 * is noted, then the index durably points to nothing in it, and only then is it released. A container in which so much
 * garbage would stay that copying pays is left to the {@link Sweep}.
 */
final class SpaceRelease {

    /** So many entries leave the index with one commit at most: some hundreds of kilobytes of its log. */
    private static final int GROUP_ENTRIES = 1 << 14;

    private final CollectionGate gate;
    private final CollectedChunks chunks;
    private final AuditLog audit;
    private final SpaceReserve reserve;
    private final ChunkMarks marks;
    private final int minGarbagePercent;
    private long freedBytes;

    /** What is to be released in a container; changed by {@link #forgetDead} alone. */
    private record Chosen(SweepPlan.Use use, List<ContainerGaps.Gap> gaps, List<ContainerHeads.Entry> dead) {

        long releasableBytes() {
            return gaps.stream().mapToLong(ContainerGaps.Gap::releasableBytes).sum();
        }

        List<Span> spans() {
            return gaps.stream().map(ContainerGaps.Gap::span).toList();
        }
    }

    SpaceRelease(
            CollectionGate gate,
            CollectedChunks chunks,
            AuditLog audit,
            SpaceReserve reserve,
            ChunkMarks marks,
            int minGarbagePercent) {
        this.gate = gate;
        this.chunks = chunks;
        this.audit = audit;
        this.reserve = reserve;
        this.marks = marks;
        this.minGarbagePercent = minGarbagePercent;
    }

    /**
     * Looks through the next containers of the plan and releases what is worth it; those that are to be copied go back
     * to the plan.
     */
    void window(SweepPlan plan) throws IOException {
        List<SweepPlan.Use> window = plan.nextWindow();
        Map<Integer, ContainerGaps> gaps = plan.gaps().isPresent() ? plan.gaps().get() : gather(window);
        List<Chosen> group = new ArrayList<>();
        int entries = 0;
        for (SweepPlan.Use use : window) {
            Chosen chosen = choose(use, gaps.getOrDefault(use.container(), new ContainerGaps()), plan);
            if (entries > 0 && entries + chosen.dead().size() > GROUP_ENTRIES) {
                release(group);
                group.clear();
                entries = 0;
            }
            group.add(chosen);
            entries += chosen.dead().size();
        }
        release(group);
    }

    private Map<Integer, ContainerGaps> gather(List<SweepPlan.Use> window) throws IOException {
        Map<Integer, ContainerGaps> gaps = new HashMap<>();
        window.forEach(use -> gaps.put(use.container(), new ContainerGaps()));
        chunks.index().forEach((fingerprint, location) -> {
            ContainerGaps here = gaps.get(location.container());
            if (here != null && !marks.isBehindLine(location)) {
                here.add(fingerprint, location, marks.isLive(location));
            }
        });
        return gaps;
    }

    private Chosen choose(SweepPlan.Use use, ContainerGaps here, SweepPlan plan) throws IOException {
        boolean last = use.container() == marks.line().container();
        long limit = last ? marks.line().offset() : use.bytes();
        List<ContainerGaps.Gap> gaps = here.worthReleasing(limit, chunks.space().occupied(use.container(), limit));
        Chosen chosen = new Chosen(use, new ArrayList<>(gaps), deadWithin(gaps, here.dead()));
        long staying = use.garbageBytes() - chosen.releasableBytes();
        if (staying > 0 && staying * 100 >= minGarbagePercent * (use.occupiedBytes() - chosen.releasableBytes())) {
            plan.copy(use);
            return new Chosen(use, new ArrayList<>(), new ArrayList<>());
        }
        return chosen;
    }

    private static List<ContainerHeads.Entry> deadWithin(
            List<ContainerGaps.Gap> gaps, List<ContainerHeads.Entry> dead) {
        RangeSet<Long> offsets = TreeRangeSet.create();
        gaps.forEach(gap ->
                offsets.add(Range.closedOpen(gap.span().from(), gap.span().to())));
        List<ContainerHeads.Entry> within = new ArrayList<>(dead);
        within.removeIf(entry -> !offsets.contains((long) entry.location().offset()));
        return within;
    }

    private void release(List<Chosen> group) throws IOException {
        // So that nothing that is looked at lies behind what the index covers.
        reserve.withRoom(chunks::sync);
        Map<Integer, List<Span>> ranges = new TreeMap<>();
        long bytes = 0;
        int dead = 0;
        for (Chosen each : group) {
            boolean all = forgetDead(each);
            if (!each.gaps().isEmpty()) {
                ranges.put(each.use().container(), each.spans());
                bytes += each.releasableBytes();
                dead += each.dead().size();
            }
            if (all) {
                chunks.space().settle(each.use().container(), each.use().garbageBytes() - each.releasableBytes());
            }
        }
        if (!ranges.isEmpty()) {
            commit(ranges, bytes, dead);
            new ParallelRelease(chunks.space()).run(ranges);
            freedBytes += bytes;
            reserve.fill();
        }
    }

    private void commit(Map<Integer, List<Span>> ranges, long bytes, int dead) throws IOException {
        reserve.withRoom(() -> chunks.space().prepare(ranges));
        reserve.withRoom(chunks::sync);
        // Once more: damage in the log's last commit can't be told from a crash, and would bring back what it removes.
        reserve.withRoom(chunks::sync);
        Map<String, Object> line = new LinkedHashMap<>();
        line.put("containers", ranges.size());
        line.put("bytes", bytes);
        line.put("deadChunks", dead);
        audit.record("space-release", line);
    }

    /**
     * Takes the dead from the index; gaps in which a session has found one of them since stay. Returns whether there
     * was none.
     */
    private boolean forgetDead(Chosen chosen) throws IOException {
        CollectedChunks.readAhead(chunks, chosen.dead());
        return gate.alone(() -> {
            List<ContainerHeads.Entry> found = chosen.dead().stream()
                    .filter(entry -> marks.isLive(entry.location()))
                    .toList();
            for (ContainerHeads.Entry entry : found) {
                chosen.gaps()
                        .removeIf(gap -> gap.span().contains(entry.location().offset()));
            }
            if (!found.isEmpty()) {
                chosen.dead().retainAll(Set.copyOf(deadWithin(chosen.gaps(), chosen.dead())));
            }
            for (ContainerHeads.Entry entry : chosen.dead()) {
                chunks.forget(entry.fingerprint(), entry.location());
            }
            return found.isEmpty();
        });
    }

    /** Given back so far. */
    long freedBytes() {
        return freedBytes;
    }
}
