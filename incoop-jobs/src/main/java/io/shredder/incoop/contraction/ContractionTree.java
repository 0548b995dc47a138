// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.contraction;

import io.shredder.chunk.Fingerprint;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The tree over a job's chunks, in the input's order. Groups end where a member's own id says so, so that an edit
 * changes the groups around it and what stands above them, and nothing else, wherever it is.
 *
 * <p>Immutable.
 */
public final class ContractionTree {

    private static final int SMALLEST_GROUP = 2;
    private static final int LARGEST_GROUP = 32;

    private final Optional<TreeMember> root;

    private ContractionTree(Optional<TreeMember> root) {
        this.root = root;
    }

    /** The tree over chunks with these fingerprints; without chunks it has no root. */
    public static ContractionTree of(List<Fingerprint> chunks) {
        List<TreeMember> members = new ArrayList<>(chunks.size());
        for (int i = 0; i < chunks.size(); i++) {
            members.add(new TreeMember.Leaf(chunks.get(i), i));
        }
        for (int level = 0; members.size() > 1; level++) {
            members = grouped(members, level);
        }
        return new ContractionTree(members.stream().findFirst());
    }

    private static List<TreeMember> grouped(List<TreeMember> members, int level) {
        List<TreeMember> groups = new ArrayList<>();
        int start = 0;
        for (int i = 0; i < members.size(); i++) {
            int length = i + 1 - start;
            boolean mayEnd = length >= SMALLEST_GROUP;
            boolean ends = length == LARGEST_GROUP
                    || (mayEnd && TreeIds.isBoundary(members.get(i).id(), level));
            if (ends || i == members.size() - 1) {
                groups.add(group(members.subList(start, i + 1), level));
                start = i + 1;
            }
        }
        return groups;
    }

    private static TreeMember group(List<TreeMember> members, int level) {
        return members.size() == 1
                ? members.get(0)
                : new TreeMember.Node(TreeIds.node(level + 1, members), level + 1, members);
    }

    /** What stands for the whole input; a leaf if that is one chunk, empty if it has none. */
    public Optional<TreeMember> root() {
        return root;
    }

    /** Nodes on the longest way from the root to a leaf, the root included. */
    public int depth() {
        return root.map(member -> member instanceof TreeMember.Node node ? node.level() : 0)
                .orElse(0);
    }

    /** Shows each node, members before the node that they are of. */
    public void forEachNode(Consumer<TreeMember.Node> visitor) {
        root.ifPresent(member -> visit(member, visitor));
    }

    private static void visit(TreeMember member, Consumer<TreeMember.Node> visitor) {
        if (member instanceof TreeMember.Node node) {
            node.members().forEach(below -> visit(below, visitor));
            visitor.accept(node);
        }
    }

    /** The key under which a reduce task's whole output is kept; empty without chunks. */
    public Optional<Fingerprint> partKey(int partition, Fingerprint reduceIdentity) {
        return root.map(member -> TreeIds.part(member.id(), partition, reduceIdentity));
    }
}
