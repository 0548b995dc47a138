// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.contraction;

import java.util.BitSet;
import java.util.function.IntPredicate;

/**
 * The levels of a contraction tree on which at least half of the nodes stand as they did. Changes all over an input
 * change nearly every node of the upper levels; the next changes of that kind will do so again, so nodes there are
 * combined in vain. Where nothing is known of earlier runs, every level counts as settled. Immutable.
 */
public final class SettledLevels {

    private final BitSet levels = new BitSet();

    private SettledLevels(int depth) {
        levels.set(1, depth + 1);
    }

    /**
     * Those of a tree.
     *
     * @param isReused whether the chunk of this place in the input stands as it did in an earlier run
     */
    public static SettledLevels of(ContractionTree tree, IntPredicate isReused) {
        SettledLevels settled = new SettledLevels(tree.depth());
        int[] nodes = new int[tree.depth() + 1];
        int[] changed = new int[tree.depth() + 1];
        boolean anyReused = tree.root()
                .map(root -> count(root, isReused, nodes, changed).anyReused())
                .orElse(false);
        for (int level = 1; anyReused && level < nodes.length; level++) {
            settled.levels.set(level, 2 * changed[level] <= nodes[level]);
        }
        return settled;
    }

    private record Seen(boolean anyReused, boolean allReused) {}

    private static Seen count(TreeMember member, IntPredicate isReused, int[] nodes, int[] changed) {
        if (member instanceof TreeMember.Leaf leaf) {
            boolean reused = isReused.test(leaf.index());
            return new Seen(reused, reused);
        }
        TreeMember.Node node = (TreeMember.Node) member;
        boolean any = false;
        boolean all = true;
        for (TreeMember below : node.members()) {
            Seen seen = count(below, isReused, nodes, changed);
            any |= seen.anyReused();
            all &= seen.allReused();
        }
        nodes[node.level()]++;
        changed[node.level()] += all ? 0 : 1;
        return new Seen(any, all);
    }

    /** Whether a level is one of them; the lowest nodes are of level 1. */
    public boolean contains(int level) {
        return levels.get(level);
    }
}
