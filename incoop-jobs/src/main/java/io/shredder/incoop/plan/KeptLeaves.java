// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.plan;

import io.shredder.incoop.input.InputChunk;
import io.shredder.incoop.memo.MemoCatalog;
import io.shredder.incoop.memo.MemoCatalog.Known;
import io.shredder.incoop.memo.MemoKind;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * What earlier runs have left of each chunk of a job's input: output that can be used, output of which a node has to
 * say whether it can, or nothing. Immutable.
 *
 * @param leaves one a chunk, in the input's order
 */
record KeptLeaves(List<Leaf> leaves) {

    /**
     * A chunk.
     *
     * @param certain its output, if that stands
     * @param onNodes its output, if it is not certain: one of these may stand on the node that looks at it
     */
    record Leaf(InputChunk chunk, Optional<Known> certain, List<Known> onNodes) {

        private boolean isChanged() {
            return certain.isEmpty() && onNodes.isEmpty();
        }

        /** Where its output is, or will be as an entry of a group. */
        private ReusePlan.Source source(String memoFile, int ordinal) {
            return new ReusePlan.Source(
                    chunk,
                    memoFile,
                    ordinal,
                    false,
                    onNodes.isEmpty() ? chunk.fingerprint() : onNodes.get(0).leafId(),
                    onNodes.stream()
                            .map(known -> new ReusePlan.KeptLeaf(known.ref(), known.leafId()))
                            .toList());
        }

        private ReusePlan.Source source() {
            Known known = certain.orElseThrow();
            return new ReusePlan.Source(chunk, known.ref().file(), known.ref().ordinal(), true, known.leafId());
        }
    }

    KeptLeaves {
        leaves = List.copyOf(leaves);
    }

    /**
     * Finds it out.
     *
     * @param recheck which chunks are mapped again all the same
     * @param onCluster whether the tasks' machines are others than this one
     */
    static KeptLeaves of(List<InputChunk> chunks, MemoCatalog catalog, Recheck recheck, boolean onCluster) {
        List<Leaf> leaves = new ArrayList<>(chunks.size());
        for (InputChunk chunk : chunks) {
            boolean again = recheck.picks(chunk.fingerprint());
            Optional<Known> certain = again ? Optional.empty() : catalog.find(MemoKind.LEAVES, chunk.fingerprint());
            boolean isAsked = onCluster && !again && certain.isEmpty();
            leaves.add(new Leaf(chunk, certain, isAsked ? catalog.onNodes(chunk.fingerprint()) : List.of()));
        }
        return new KeptLeaves(leaves);
    }

    /** Those whose maps do not run. */
    List<Known> reused() {
        return leaves.stream().flatMap(leaf -> leaf.certain().stream()).toList();
    }

    /** Chunks of which nothing is kept. */
    List<InputChunk> changed() {
        return leaves.stream().filter(Leaf::isChanged).map(Leaf::chunk).toList();
    }

    /** Those that a node has to look at. */
    List<Leaf> onNodes() {
        return leaves.stream().filter(leaf -> !leaf.onNodes().isEmpty()).toList();
    }

    /**
     * Where each chunk's output is, or will be.
     *
     * @param computed groups of the changed chunks, in order
     * @param lookedAt groups of those that nodes look at, in order
     */
    List<ReusePlan.Source> sources(List<ChunkGroup> computed, List<ChunkGroup> lookedAt) {
        Places changed = new Places(computed);
        Places onNodes = new Places(lookedAt);
        return leaves.stream()
                .map(leaf ->
                        leaf.certain().isPresent() ? leaf.source() : (leaf.isChanged() ? changed : onNodes).next(leaf))
                .toList();
    }

    /** The entries of groups, one by one. */
    private static final class Places {

        private final List<ChunkGroup> groups;
        private int group;
        private int ordinal;

        Places(List<ChunkGroup> groups) {
            this.groups = groups;
        }

        ReusePlan.Source next(Leaf leaf) {
            if (ordinal == groups.get(group).chunks().size()) {
                group++;
                ordinal = 0;
            }
            return leaf.source(groups.get(group).memoFile(), ordinal++);
        }
    }
}
