// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import io.shredder.incoop.input.InputChunk;
import io.shredder.incoop.plan.PlannedSplit.KnownBytes;
import io.shredder.incoop.plan.PlannedSplit.Part;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.junit.jupiter.api.Test;

/** Which bytes a split's part file follows from, what it is known by, and how tasks are told. */
class SplitPlanTest {

    private static final Fingerprint OUTPUT = fingerprint("output");

    private static Fingerprint fingerprint(String text) {
        return Fingerprint.ofData(ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8)));
    }

    /** Chunks of ten bytes, each known by a letter. */
    private static List<InputChunk> chunks(String path, String letters) {
        List<InputChunk> chunks = new ArrayList<>();
        for (int i = 0; i < letters.length(); i++) {
            chunks.add(new InputChunk(path, 10L * i, 10, fingerprint(letters.substring(i, i + 1))));
        }
        return chunks;
    }

    private static Optional<KnownBytes> known(long start, long length, String letters) {
        FileSplit split = new FileSplit(new Path("/a"), start, length, new String[0]);
        return new SplitIds(OUTPUT).of(split, chunks("/a", letters), "state");
    }

    private static Fingerprint key(long start, long length, String letters) {
        return known(start, length, letters).orElseThrow().key();
    }

    @Test
    void aSplitTouchesTheChunksUpToTheOneBehindItsEnd() {
        List<InputChunk> chunks = chunks("/a", "abcdef");

        assertThat(SplitIds.touched(0, 10, chunks)).contains(new SplitIds.Touched(0, 3));
        assertThat(SplitIds.touched(12, 7, chunks)).contains(new SplitIds.Touched(1, 3));
        assertThat(SplitIds.touched(12, 8, chunks)).contains(new SplitIds.Touched(1, 4));
        assertThat(SplitIds.touched(55, 5, chunks)).contains(new SplitIds.Touched(5, 6));
        assertThat(SplitIds.touched(0, 60, chunks)).contains(new SplitIds.Touched(0, 6));
        assertThat(SplitIds.touched(55, 6, chunks)).isEmpty();
        assertThat(SplitIds.touched(0, 1, List.of())).isEmpty();
        assertThat(SplitIds.touched(0, 0, List.of(new InputChunk("/a", 0, 0, OUTPUT))))
                .contains(new SplitIds.Touched(0, 1));
    }

    @Test
    void theSameBytesElsewhereAreTheSame() {
        assertThat(key(12, 15, "abcdef"))
                .isEqualTo(key(12, 15, "xbcdyz"))
                .isEqualTo(key(22, 15, "xxbcdyz"))
                .isEqualTo(key(2, 15, "bcdef"));
    }

    @Test
    void whateverElseDiffersGivesAnotherKey() {
        assertThat(List.of(
                        key(12, 15, "abcdef"),
                        key(13, 15, "abcdef"),
                        key(12, 14, "abcdef"),
                        key(12, 15, "abxdef"),
                        key(12, 15, "abcxef"),
                        key(12, 15, "abcd"),
                        key(0, 15, "bcdef"),
                        key(10, 15, "abcdef"),
                        new SplitIds(fingerprint("other"))
                                .of(
                                        new FileSplit(new Path("/a"), 12, 15, new String[0]),
                                        chunks("/a", "abcdef"),
                                        "state")
                                .orElseThrow()
                                .key()))
                .doesNotHaveDuplicates();
    }

    @Test
    void tasksReadWhatWasPlanned() throws Exception {
        SplitPlan plan = plan();

        assertThat(SplitPlan.decode(plan.encode(), "plan")).isEqualTo(plan);
    }

    private static SplitPlan plan() {
        return new SplitPlan(
                "hdfs://memo",
                OUTPUT,
                "job_1_1",
                List.of(
                        new PlannedSplit(3, new Part("/a", 12, 15), known(12, 15, "abcdef")),
                        new PlannedSplit(4, new Part("", 0, 0), Optional.empty())));
    }

    @Test
    void aDamagedPlanIsRefused() throws Exception {
        byte[] whole = plan().encode();
        for (int i = 0; i < whole.length; i++) {
            byte[] damaged = whole.clone();
            damaged[i] ^= 1;
            assertThatThrownBy(() -> SplitPlan.decode(damaged, "plan")).isInstanceOf(DamagedDataException.class);
        }
        byte[] otherVersion = PlanFile.unsealed(whole, "plan");
        otherVersion[11]++;
        assertThatThrownBy(() -> SplitPlan.decode(PlanFile.sealed(otherVersion), "plan"))
                .isInstanceOf(DamagedDataException.class)
                .hasMessageContaining("version");
    }
}
