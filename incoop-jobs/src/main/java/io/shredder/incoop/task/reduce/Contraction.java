// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.task.reduce;

import io.shredder.chunk.Fingerprint;
import io.shredder.incoop.contraction.ContractionTree;
import io.shredder.incoop.contraction.SettledLevels;
import io.shredder.incoop.contraction.TreeMember;
import io.shredder.incoop.memo.MemoCatalog.MemoRef;
import io.shredder.incoop.memo.MemoEntry;
import io.shredder.incoop.memo.MemoKind;
import io.shredder.incoop.plan.ReusePlan;
import io.shredder.incoop.task.MemoReaders;
import io.shredder.incoop.task.Staging;
import io.shredder.incoop.task.StagingFolder;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One reduce partition of a job's whole input, as few segments. Walks the contraction tree from its root, reads the
 * kept nodes that it meets ({@link #bringKept}), combines others from their members where that is of use
 * ({@link SettledLevels}), and keeps them for later runs ({@link #gather}). One thread.
 */
final class Contraction<K, V> {

    private static final Logger LOG = LoggerFactory.getLogger(Contraction.class);

    /** Members that are larger together are left as they are: {@code docs/formats/memo.md}. */
    private static final long LARGEST_COMBINED_BYTES = 1 << 30;

    private final ReusePlan plan;
    private final int partition;
    private final Parts<K, V> parts;
    private final StagingFolder stagings;
    /** What was brought before the maps had ended: chunks by their place, nodes by their id. */
    private final Map<Integer, Staging.Staged> earlyLeaves = new HashMap<>();

    private final Map<Fingerprint, Staging.Staged> earlyNodes = new HashMap<>();
    private SettledLevels settled = SettledLevels.of(ContractionTree.of(List.of()), chunk -> true);
    private int computed;
    private int reused;

    /**
     * What it works with; the caller closes them.
     *
     * @param leaves where chunks come from
     * @param memos where kept nodes come from
     * @param keeper where new nodes go
     * @param merge how nodes are made
     */
    record Parts<K, V>(LeafSegments leaves, MemoReaders memos, NodeKeeper keeper, SegmentMerge<K, V> merge) {}

    Contraction(ReusePlan plan, int partition, Parts<K, V> parts, StagingFolder stagings) {
        this.plan = plan;
        this.partition = partition;
        this.parts = parts;
        this.stagings = stagings;
    }

    /**
     * Lays what earlier runs have kept into a staging file; needs nothing of this run's maps.
     *
     * @param into used by {@link #gather}, too
     */
    void bringKept(ContractionTree tree, Staging into) throws IOException, InterruptedException {
        if (tree.root().isPresent()) {
            bringKept(tree.root().get(), into);
        }
    }

    private void bringKept(TreeMember member, Staging into) throws IOException, InterruptedException {
        if (member instanceof TreeMember.Leaf leaf) {
            if (plan.sources().get(leaf.index()).reused()) {
                earlyLeaves.put(leaf.index(), parts.leaves().bring(leaf.index(), into));
            }
            return;
        }
        TreeMember.Node node = (TreeMember.Node) member;
        Optional<Staging.Staged> kept = plan.reduce().combines() ? kept(node, into) : Optional.empty();
        if (kept.isPresent()) {
            earlyNodes.put(node.id(), kept.get());
            return;
        }
        for (TreeMember below : node.members()) {
            bringKept(below, into);
        }
    }

    /**
     * Lays the segments that together are the partition into a staging file, in the input's order, once every map has
     * succeeded. After {@link #bringKept}.
     */
    List<Staging.Staged> gather(ContractionTree tree, Staging into) throws IOException, InterruptedException {
        Optional<TreeMember> root = tree.root();
        if (root.isEmpty()) {
            return List.of();
        }
        settled = SettledLevels.of(tree, chunk -> parts.leaves().isKept(chunk));
        // The root itself is left to the reducer, whose whole output is kept instead.
        boolean left =
                root.get() instanceof TreeMember.Node && early(root.get()).isEmpty();
        return left ? members((TreeMember.Node) root.get(), into) : bring(root.get(), into);
    }

    private Optional<Staging.Staged> early(TreeMember member) {
        return Optional.ofNullable(
                member instanceof TreeMember.Leaf leaf ? earlyLeaves.get(leaf.index()) : earlyNodes.get(member.id()));
    }

    private List<Staging.Staged> members(TreeMember.Node node, Staging into) throws IOException, InterruptedException {
        List<Staging.Staged> members = new ArrayList<>();
        for (TreeMember member : node.members()) {
            members.addAll(bring(member, into));
        }
        return members;
    }

    private List<Staging.Staged> bring(TreeMember member, Staging into) throws IOException, InterruptedException {
        Optional<Staging.Staged> kept = early(member);
        if (kept.isPresent()) {
            return List.of(kept.get());
        }
        if (member instanceof TreeMember.Leaf leaf) {
            return List.of(parts.leaves().bring(leaf.index(), into));
        }
        TreeMember.Node node = (TreeMember.Node) member;
        return plan.reduce().combines() && settled.contains(node.level()) ? compute(node, into) : members(node, into);
    }

    private Optional<Staging.Staged> kept(TreeMember.Node node, Staging into) throws IOException, InterruptedException {
        Fingerprint key = node.segmentKey(partition);
        Optional<MemoRef> ref = plan.reduce().nodes().find(key);
        if (ref.isEmpty()) {
            return Optional.empty();
        }
        try {
            MemoEntry entry = parts.memos().entry(MemoKind.NODES, ref.get(), key, 1);
            Staging.Staged staged =
                    parts.memos().copy(ref.get(), entry.segments().get(0), true, into);
            reused++;
            return Optional.of(staged);
        } catch (IOException e) {
            parts.memos().giveUp(ref.get(), e);
            LOG.warn("incoop: combining a node again, its memo can't be used: {}", e.getMessage());
            return Optional.empty();
        }
    }

    private List<Staging.Staged> compute(TreeMember.Node node, Staging into) throws IOException, InterruptedException {
        try (Staging below = stagings.create()) {
            List<Staging.Staged> members = members(node, below);
            if (members.stream().mapToLong(Staging.Staged::length).sum() > LARGEST_COMBINED_BYTES) {
                return passOn(members, into);
            }
            boolean reusable = members.stream().allMatch(Staging.Staged::reusable);
            Staging.Staged combined = parts.merge().combine(members, below, into, reusable);
            computed++;
            if (reusable && !parts.merge().combinesAlike()) {
                return List.of(combined.notReusable());
            }
            if (reusable) {
                parts.keeper().keep(node.segmentKey(partition), into, combined);
            }
            return List.of(combined);
        }
    }

    private List<Staging.Staged> passOn(List<Staging.Staged> members, Staging into)
            throws IOException, InterruptedException {
        List<Staging.Staged> passed = new ArrayList<>();
        for (Staging.Staged member : members) {
            boolean isThere = earlyLeaves.containsValue(member) || earlyNodes.containsValue(member);
            passed.add(isThere ? member : into.copy(member));
        }
        return passed;
    }

    /** Nodes that were combined here. */
    int computed() {
        return computed;
    }

    /** Nodes that an earlier run had combined. */
    int reused() {
        return reused;
    }
}
