// SPDX-License-Identifier: Apache-2.0
package io.shredder.it.coding.figures;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;

import io.shredder.engine.ShredderException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class FileTransfersTest {
    private static final Scheme COPIES = new Scheme(1, 2);
    private static final Scheme TWO_AND_ONE = new Scheme(2, 1);
    private static final int MESSAGE = FileTransfers.MESSAGE_BYTES;
    private static final int CELL = FileTransfers.CELL_BYTES;
    private static final double NO_LIMIT = 1e18;
    private static final Offset<Double> EXACT = within(1e-9);

    /** Each group takes so long. */
    private record Steady(double encodeSeconds, double decodeSeconds) implements GroupCoding {
        @Override
        public double encode(Scheme scheme, int cellBytes) {
            return encodeSeconds;
        }

        @Override
        public double decode(Scheme scheme, int cellBytes, int lost) {
            return lost == 0 ? 0 : decodeSeconds;
        }
    }

    private static FileTransfers over(NodeLinks links, double encodeSeconds, double decodeSeconds) {
        return new FileTransfers(links, new Steady(encodeSeconds, decodeSeconds));
    }

    /** A message takes a second on a node's link and a tenth on the client's; 10 ms one way. */
    private static NodeLinks slowNodes(int nodes) {
        return new NodeLinks(nodes, MESSAGE, 10 * MESSAGE, 0.01, 1L << 40);
    }

    /** A cell takes a second on a node's link, nothing else takes any time. */
    private static NodeLinks nodesOnly(int nodes) {
        return new NodeLinks(nodes, CELL, NO_LIMIT, 0, 1L << 40);
    }

    @Test
    void copiesOfOneMessageByHand() throws ShredderException {
        FileTransfers transfers = over(slowNodes(3), 0, 0);
        // Sent at 0, 0.1 and 0.2; the last is at its node 0.01 + 1 later, its answer back after 0.01; the map, 0.02.
        assertThat(transfers.write(COPIES, MESSAGE)).isCloseTo(0.2 + 0.01 + 1 + 0.01 + 0.02, EXACT);
        // The map, the request, a second on the node's link, and the way back.
        assertThat(transfers.read(COPIES, MESSAGE, 0)).isCloseTo(0.02 + 0.01 + 1 + 0.01, EXACT);
    }

    @Test
    void aGroupIsSentOnceItIsCoded() throws ShredderException {
        FileTransfers transfers = over(slowNodes(3), 5, 7);
        assertThat(transfers.write(TWO_AND_ONE, 2 * MESSAGE)).isCloseTo(5 + 0.2 + 0.01 + 1 + 0.01 + 0.02, EXACT);
        assertThat(transfers.read(TWO_AND_ONE, 2 * MESSAGE, 0)).isCloseTo(0.02 + 0.01 + 1 + 0.01, EXACT);
        assertThat(transfers.read(TWO_AND_ONE, 2 * MESSAGE, 1)).isCloseTo(0.02 + 0.01 + 1 + 0.01 + 7, EXACT);
    }

    /** The sum would be 10 x (1 + coding). */
    @Test
    void codingAndSendingTakeTheLongerOfTheTwo() throws ShredderException {
        long tenGroups = 10L * 2 * CELL;
        assertThat(over(nodesOnly(3), 0.25, 0).write(TWO_AND_ONE, tenGroups)).isCloseTo(10 + 0.25, EXACT);
        assertThat(over(nodesOnly(3), 1, 0).write(TWO_AND_ONE, tenGroups)).isCloseTo(10 + 1, EXACT);
        assertThat(over(nodesOnly(3), 3, 0).write(TWO_AND_ONE, tenGroups)).isCloseTo(10 * 3 + 1, EXACT);
        assertThat(over(nodesOnly(3), 0, 3).read(COPIES, 9L * CELL, 0)).isCloseTo(3, EXACT);
    }

    @Test
    void readingAndDecodingOverlapToo() throws ShredderException {
        NodeLinks oneAtATime = new NodeLinks(3, CELL, NO_LIMIT, 0, 2L * CELL);
        assertThat(over(oneAtATime, 0, 3).read(TWO_AND_ONE, 10L * 2 * CELL, 1)).isCloseTo(10 * (1 + 3), EXACT);
        assertThat(over(nodesOnly(3), 0, 3).read(TWO_AND_ONE, 10L * 2 * CELL, 1))
                .isCloseTo(1 + 10 * 3, EXACT);
    }

    @Test
    void aWindowOfOneGroupHoldsUpTheNext() throws ShredderException {
        NodeLinks oneAtATime = new NodeLinks(3, CELL, NO_LIMIT, 0, 3L * CELL);
        assertThat(over(oneAtATime, 1, 0).write(TWO_AND_ONE, 10L * 2 * CELL)).isCloseTo(10 * 2, EXACT);
    }

    @Test
    void theClientsLinkLimitsWhereNodesDoNot() throws ShredderException {
        NodeLinks clientOnly = new NodeLinks(32, NO_LIMIT, CELL, 0, 1L << 40);
        Scheme wide = new Scheme(29, 3);
        assertThat(over(clientOnly, 0, 0).write(wide, 29L * CELL)).isCloseTo(32, EXACT);
        assertThat(over(clientOnly, 0, 0).read(wide, 29L * CELL, 0)).isCloseTo(29, EXACT);
    }

    /** Many nodes' links share the client's: what each sends, takes no longer than at the rate of the slower. */
    @Test
    void messagesShareTheClientsLink() throws ShredderException {
        NodeLinks links = new NodeLinks(16, CELL, 10 * CELL, 0, 1L << 40);
        assertThat(over(links, 0, 0).read(new Scheme(5, 11), 5L * CELL, 0)).isCloseTo(1, within(0.01));
        assertThat(over(links, 0, 0).read(new Scheme(13, 3), 13L * CELL, 0)).isCloseTo(1.3, within(0.07));
    }

    @Test
    void aSchemeWithMoreShardsThanNodesIsNotPossible() {
        FileTransfers transfers = over(nodesOnly(31), 0, 0);
        assertThat(transfers.canHold(new Scheme(26, 5))).isTrue();
        assertThat(transfers.canHold(new Scheme(29, 3))).isFalse();
        assertThatThrownBy(() -> transfers.write(new Scheme(29, 3), CELL)).hasMessage("IDA-29:3 needs 32 nodes");
        assertThatThrownBy(() -> transfers.read(COPIES, CELL, 2)).hasMessage("REP-3 can't lose 2 data shards");
    }

    @Test
    void aFileIsCutIntoGroupsTheLastIntoShorterCells() {
        assertThat(FileTransfers.groups(COPIES, 2L * CELL + 1)).isEqualTo(List.of(CELL, CELL, 64));
        assertThat(FileTransfers.groups(new Scheme(26, 6), 1_000_000)).isEqualTo(List.of(38_464)); // of 38,461.5
    }

    @Test
    void aGroupsShardsLieApartAndAllNodesGetAsMany() {
        for (Scheme scheme : Scheme.TABLE_3) {
            for (int nodes : new int[] {8, 16, 24, 32}) {
                FileTransfers transfers = over(nodesOnly(nodes), 0, 0);
                if (!transfers.canHold(scheme)) {
                    continue;
                }
                Map<Integer, Integer> firsts = new HashMap<>();
                for (int group = 0; group < nodes * nodes; group++) {
                    Map<Integer, Integer> used = new HashMap<>();
                    for (int shard = 0; shard < scheme.shards(); shard++) {
                        used.merge(transfers.node(scheme, group, shard), 1, Integer::sum);
                    }
                    assertThat(used).hasSize(scheme.shards());
                    firsts.merge(transfers.node(scheme, group, 0), 1, Integer::sum);
                }
                assertThat(firsts).as("%s on %d", scheme.title(), nodes).hasSize(nodes);
                assertThat(firsts.values()).allMatch(count -> count == nodes);
            }
        }
    }
}
