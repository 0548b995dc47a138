// SPDX-License-Identifier: Apache-2.0
package io.shredder.backup.agent.dispersal.shard;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.backup.Samples;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class ChecksTest {

    @Test
    void digestsOfSeveralAreThoseOfEach() {
        ByteBuffer all = ByteBuffer.wrap(Samples.randomBytes(new Random(Samples.seed()), 1_000_000));
        List<ByteBuffer> parts = new ArrayList<>(List.of(all.slice(0, 0), all.slice(7, 1), all.slice(64, 262_144)));
        parts.add(all.duplicate().position(300_001).limit(562_145));
        assertThat(Checks.cellDigests(parts))
                .containsExactlyElementsOf(
                        parts.stream().map(Checks::cellDigest).toList());
        parts.add(ByteBuffer.allocateDirect(9).put(all.slice(0, 9)).flip());
        assertThat(Checks.cellDigests(parts))
                .containsExactlyElementsOf(
                        parts.stream().map(Checks::cellDigest).toList());
    }
}
