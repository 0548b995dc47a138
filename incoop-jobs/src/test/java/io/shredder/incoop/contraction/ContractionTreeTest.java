// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.contraction;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ContractionTreeTest {

    private static final int LEAVES = 10_000;
    private static final int EDITS = 120;

    /** Behind an edit, groups meet those of before again by chance; that it takes longer than usual is rare. */
    @Test
    void aChangeInsertionOrDeletionMakesAtMostTwiceTheDepthInNewNodesButRarely() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        List<Fingerprint> chunks = chunks(random, LEAVES);
        long newNodes = 0;
        long depths = 0;
        int more = 0;
        for (int i = 0; i < EDITS; i++) {
            Set<Fingerprint> before = nodes(ContractionTree.of(chunks));
            edit(random, chunks, i % 3);
            ContractionTree tree = ContractionTree.of(chunks);
            int made = missing(tree, before);
            assertThat(made).as("edit %d of seed %d", i, seed).isBetween(1, 4 * tree.depth());
            more += made > 2 * tree.depth() ? 1 : 0;
            newNodes += made;
            depths += tree.depth();
        }
        assertThat(more).as("seed %d", seed).isLessThanOrEqualTo(2);
        assertThat(newNodes)
                .as("seed %d: most edits change one node a level", seed)
                .isLessThan(depths * 5 / 4 + 1);
    }

    @Test
    void aHundredEditsAtOnceMakeAtMostTwiceTheDepthEach() {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        List<Fingerprint> chunks = chunks(random, LEAVES);
        Set<Fingerprint> before = nodes(ContractionTree.of(chunks));
        for (int i = 0; i < 100; i++) {
            edit(random, chunks, i % 3);
        }

        ContractionTree tree = ContractionTree.of(chunks);

        assertThat(missing(tree, before)).as("seed %d", seed).isLessThan(100 * 2 * tree.depth());
    }

    @Test
    void aMovedBlockMakesNewNodesAtItsEndsOnly() {
        Random random = new Random(1);
        List<Fingerprint> chunks = chunks(random, LEAVES);
        Set<Fingerprint> before = nodes(ContractionTree.of(chunks));
        Collections.rotate(chunks.subList(2000, 7000), 1500);

        ContractionTree tree = ContractionTree.of(chunks);

        assertThat(missing(tree, before)).isLessThan(3 * 2 * tree.depth());
    }

    @Test
    void everyChunkIsBelowTheRootOnceAndInOrder() {
        for (int leaves = 1; leaves < 300; leaves++) {
            List<Fingerprint> chunks = chunks(new Random(leaves), leaves);
            List<Integer> indexes = new ArrayList<>();
            collect(ContractionTree.of(chunks).root().orElseThrow(), indexes);
            assertThat(indexes).hasSize(leaves).isSorted().doesNotHaveDuplicates();
        }
    }

    @Test
    void groupsAreBoundedEvenIfAllChunksAreTheSame() {
        for (Fingerprint chunk : chunks(new Random(2), 40)) {
            ContractionTree tree = ContractionTree.of(Collections.nCopies(5000, chunk));
            tree.forEachNode(node -> assertThat(node.members()).hasSizeBetween(2, 32));
            assertThat(tree.depth()).isLessThan(14);
        }
    }

    @Test
    void theTreeHasItsWrittenDownIds() {
        List<Fingerprint> chunks = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            chunks.add(Fingerprint.ofData(ByteBuffer.allocate(4).putInt(0, i)));
        }

        ContractionTree tree = ContractionTree.of(chunks);

        assertThat(tree.root().orElseThrow().id())
                .hasToString("0046cb0d1937bb37dafec2286451bb735a64488eaf11dd476242a175022e54e1");
        assertThat(tree.depth()).isEqualTo(3);
        TreeMember.Node root = (TreeMember.Node) tree.root().orElseThrow();
        assertThat(root.segmentKey(3)).hasToString("00dd13eb938149c089657198e836f310397b4cde7a52333b5ef315241519de5e");
        assertThat(tree.partKey(3, chunks.get(0)).orElseThrow())
                .hasToString("4e70956f0d8b7c130b9c33d7713dd44007577f7270693ac2c31878d08c1542e4");
    }

    @Test
    void noChunksHaveNoRootAndOneChunkIsItsOwn() {
        Fingerprint chunk = chunks(new Random(3), 1).get(0);

        assertThat(ContractionTree.of(List.of()).root()).isEmpty();
        assertThat(ContractionTree.of(List.of(chunk)).root()).contains(new TreeMember.Leaf(chunk, 0));
        assertThat(ContractionTree.of(List.of(chunk)).depth()).isZero();
    }

    private static void edit(Random random, List<Fingerprint> chunks, int kind) {
        int at = random.nextInt(chunks.size());
        switch (kind) {
            case 0 -> chunks.set(at, chunk(random));
            case 1 -> chunks.add(at, chunk(random));
            default -> chunks.remove(at);
        }
    }

    private static void collect(TreeMember member, List<Integer> indexes) {
        if (member instanceof TreeMember.Leaf leaf) {
            indexes.add(leaf.index());
        } else if (member instanceof TreeMember.Node node) {
            node.members().forEach(below -> collect(below, indexes));
        }
    }

    private static int missing(ContractionTree tree, Set<Fingerprint> known) {
        Set<Fingerprint> ids = nodes(tree);
        ids.removeAll(known);
        return ids.size();
    }

    private static Set<Fingerprint> nodes(ContractionTree tree) {
        Set<Fingerprint> ids = new HashSet<>();
        tree.forEachNode(node -> ids.add(node.id()));
        return ids;
    }

    private static List<Fingerprint> chunks(Random random, int count) {
        List<Fingerprint> chunks = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            chunks.add(chunk(random));
        }
        return chunks;
    }

    private static Fingerprint chunk(Random random) {
        byte[] digest = new byte[Fingerprint.BYTES];
        random.nextBytes(digest);
        return Fingerprint.of(digest);
    }
}
