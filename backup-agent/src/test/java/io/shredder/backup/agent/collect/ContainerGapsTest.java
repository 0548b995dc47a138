// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.collect;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.Samples;
import io.shredder.backup.agent.container.ChunkLocation;
import io.shredder.backup.agent.container.ContainerHeads;
import io.shredder.backup.agent.file.Span;
import io.shredder.backup.agent.file.SparseFile;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ContainerGapsTest {

    private static final int BLOCK = SparseFile.BLOCK_BYTES;

    @Test
    void gapsAreAllThatDoesNotLiveAsFarAsWholeOccupiedBlocksOfThemAreWorthIt() {
        Random random = new Random(Samples.seed());
        for (int round = 0; round < 300; round++) {
            check(random);
        }
    }

    /** Against a set of single bytes. */
    private static void check(Random random) {
        List<ChunkLocation> live = new ArrayList<>();
        BitSet dead = new BitSet();
        int at = 64;
        for (int record = random.nextInt(30); record > 0; record--) {
            int bytes = 30 + random.nextInt(random.nextBoolean() ? 300 : 40_000);
            int end = at + (int) ContainerHeads.recordBytes(bytes);
            if (random.nextInt(3) > 0) {
                live.add(new ChunkLocation(1, at, bytes, bytes));
            } else {
                dead.set(at, end);
            }
            at = end;
        }
        BitSet hole = new BitSet();
        List<Span> occupied = occupied(random, at, hole);
        List<ContainerGaps.Gap> expected = new ArrayList<>();
        for (int from = dead.nextSetBit(0); from >= 0; from = dead.nextSetBit(dead.nextClearBit(from))) {
            Span span = new Span(from, dead.nextClearBit(from));
            Span blocks = span.wholeBlocks(BLOCK);
            long bytes = blocks.bytes()
                    - hole.get((int) blocks.from(), (int) blocks.to()).cardinality();
            if (bytes >= ContainerGaps.MIN_HOLE_BYTES) {
                expected.add(new ContainerGaps.Gap(span, bytes));
            }
        }
        ContainerGaps gaps = new ContainerGaps();
        Collections.shuffle(live, random);
        live.forEach(gaps::addLive);
        assertThat(gaps.worthReleasing(at, occupied)).isEqualTo(expected);
    }

    private static List<Span> occupied(Random random, int length, BitSet hole) {
        List<Span> occupied = new ArrayList<>();
        for (int from = 0; from < length; ) {
            int to = Math.min(length, from + BLOCK * (1 + random.nextInt(6)));
            if (random.nextInt(4) == 0) {
                hole.set(from, to);
            } else {
                occupied.add(new Span(from, to));
            }
            from = to;
        }
        return occupied;
    }
}
