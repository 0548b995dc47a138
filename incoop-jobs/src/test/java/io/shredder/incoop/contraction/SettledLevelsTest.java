// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.contraction;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class SettledLevelsTest {

    private static final int CHUNKS = 1240;

    private final ContractionTree tree = ContractionTree.of(IntStream.range(0, CHUNKS)
            .mapToObj(i -> Fingerprint.ofData(ByteBuffer.allocate(4).putInt(0, i)))
            .toList());

    @Test
    void withoutAnEarlierRunAllLevelsCount() {
        SettledLevels levels = SettledLevels.of(tree, chunk -> false);
        assertThat(IntStream.rangeClosed(1, tree.depth())).allMatch(levels::contains);
    }

    @Test
    void aChangeInOnePlaceLeavesAllLevelsButTheRootSettled() {
        SettledLevels levels = SettledLevels.of(tree, chunk -> chunk < 600 || chunk > 612);
        assertThat(IntStream.range(1, tree.depth())).allMatch(levels::contains);
        assertThat(levels.contains(tree.depth())).isFalse();
    }

    @Test
    void changesAllOverLeaveOnlyTheLowestLevelSettled() {
        SettledLevels levels = SettledLevels.of(tree, chunk -> chunk % 40 != 0);
        assertThat(levels.contains(1)).isTrue();
        assertThat(IntStream.rangeClosed(2, tree.depth())).noneMatch(levels::contains);
    }

    @Test
    void anInputWithoutChunksHasNone() {
        assertThat(SettledLevels.of(ContractionTree.of(List.of()), chunk -> true)
                        .contains(1))
                .isFalse();
    }
}
