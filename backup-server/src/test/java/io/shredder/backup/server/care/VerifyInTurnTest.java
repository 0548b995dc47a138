// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.server.care;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class VerifyInTurnTest {

    private static List<String> many(String what, int count) {
        return IntStream.range(0, count).mapToObj(i -> what + i).toList();
    }

    @Test
    void manyHurtSnapshotsDontKeepTheDamagedContainersFromBeingNamed() {
        List<String> lines = VerifyInTurn.lines(many("vm@", 50), List.of("containers/00000/00000007.container"));
        assertThat(lines)
                .hasSize(12)
                .startsWith("vm@0", "vm@1")
                .endsWith("and 40 more snapshots: see 'shredder-backup verify'", "containers/00000/00000007.container");
    }

    @Test
    void manyPlacesAreCounted() {
        assertThat(VerifyInTurn.lines(List.of("vm@1"), many("place ", 11)))
                .hasSize(12)
                .endsWith("place 9", "and 1 more places: see 'shredder-backup verify'");
    }
}
