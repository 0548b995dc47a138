// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;

class ReusePlanTest {

    private static final ReusePlan PLAN = new ReusePlan(
            "hdfs://nn/user/me/.incoop",
            fingerprint("identity"),
            List.of(
                    new ReusePlan.Source(chunk("/a", 0, 10), "old.memo", 3, true),
                    new ReusePlan.Source(chunk("/a", 10, 5), "new.memo", 0, false),
                    new ReusePlan.Source(chunk("/b", 0, 7), "new.memo", 1, false)));

    @Test
    void aPlanIsReadBackAsItWasWritten() throws Exception {
        assertThat(ReusePlan.decode(PLAN.encode(), "plan")).isEqualTo(PLAN);
        assertThat(PLAN.reusedChunks()).isEqualTo(1);
    }

    @Test
    void everyDamageToAPlanIsFoundOut() throws Exception {
        byte[] whole = PLAN.encode();
        for (int at = 0; at < whole.length; at++) {
            byte[] flipped = whole.clone();
            flipped[at] ^= 1;
            byte[] cut = Arrays.copyOf(whole, at);
            assertThatThrownBy(() -> ReusePlan.decode(flipped, "plan")).isInstanceOf(DamagedDataException.class);
            assertThatThrownBy(() -> ReusePlan.decode(cut, "plan")).isInstanceOf(DamagedDataException.class);
        }
    }

    @Test
    void groupsAreFilledInOrderUpToTheirSize() throws Exception {
        Grouping grouping = new Grouping("job_1_0001", 10, new Input(List.of()));
        List<ReusePlan.Source> sources = new ArrayList<>();
        for (int length : new int[] {4, 6, 1, 25, 3}) {
            sources.add(grouping.add(chunk("/a", 0, length)));
        }

        List<ChunkGroup> groups = grouping.groups();

        assertThat(groups).extracting(ChunkGroup::bytes).containsExactly(10L, 1L, 25L, 3L);
        assertThat(sources.get(1).memoFile()).isEqualTo(groups.get(0).memoFile());
        assertThat(sources.get(1).ordinal()).isEqualTo(1);
        assertThat(sources.get(4).memoFile()).isEqualTo("job_1_0001-g00003.memo");
    }

    private static InputChunk chunk(String path, long offset, int length) {
        return new InputChunk(path, offset, length, fingerprint(path + offset));
    }

    private static Fingerprint fingerprint(String text) {
        return Fingerprint.ofData(ByteBuffer.wrap(text.getBytes()));
    }
}
