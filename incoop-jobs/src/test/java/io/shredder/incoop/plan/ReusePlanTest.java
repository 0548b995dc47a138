// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop.plan;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.chunk.DamagedDataException;
import io.shredder.chunk.Fingerprint;
import io.shredder.incoop.format.InputHeader;
import io.shredder.incoop.input.Input;
import io.shredder.incoop.input.InputChunk;
import io.shredder.incoop.input.InputTag;
import io.shredder.incoop.input.OwnSplit;
import io.shredder.incoop.memo.CounterValue;
import io.shredder.incoop.memo.MemoCatalog.MemoRef;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.lib.input.FileSplit;
import org.junit.jupiter.api.Test;

class ReusePlanTest {

    private static final ReusePlan PLAN = new ReusePlan(
            "hdfs://nn/user/me/.incoop",
            fingerprint("identity"),
            "job_1_0001",
            List.of(
                    new ReusePlan.Source(chunk("/a", 0, 10), "old.memo", 3, true, fingerprint("leaf")),
                    new ReusePlan.Source(chunk("/a", 10, 5), "new.memo", 0, false, fingerprint("leaf")),
                    new ReusePlan.Source(
                            chunk("/b", 0, 7),
                            "new.memo",
                            1,
                            false,
                            fingerprint("leaf"),
                            List.of(
                                    new ReusePlan.KeptLeaf(new MemoRef("kept.memo", 4), fingerprint("leaf")),
                                    new ReusePlan.KeptLeaf(new MemoRef("old.memo", 9), fingerprint("older"))))),
            2,
            new ReducePlan(
                    true,
                    Optional.of(fingerprint("reduce")),
                    new KeptRefs(Map.of(fingerprint("node"), new MemoRef("nodes.memo", 7))),
                    new KeptRefs(Map.of(fingerprint("part"), new MemoRef("part.memo", 0))),
                    List.of(new CounterValue("group", "counter", 42))));

    @Test
    void aPlanIsReadBackAsItWasWritten() throws Exception {
        assertThat(ReusePlan.decode(PLAN.encode(), "plan")).isEqualTo(PLAN);
        assertThat(PLAN.reusedChunks()).isEqualTo(1);
        assertThat(PLAN.sources()).extracting(ReusePlan.Source::mayBeReused).containsExactly(true, false, true);
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
    void groupsAreAsFewAsTheirSizeAllowsAndInOrder() throws Exception {
        List<InputChunk> chunks = new ArrayList<>();
        for (int length : new int[] {4, 6, 1, 25, 3}) {
            chunks.add(chunk("/a", 0, length));
        }

        List<ChunkGroup> groups = Grouping.of(chunks, "job_1_0001", 10, new Input(List.of()));

        assertThat(groups).extracting(ChunkGroup::bytes).containsExactly(10L, 1L, 25L, 3L);
        assertThat(groups.get(3).memoFile()).isEqualTo("job_1_0001-g00003.memo");
    }

    @Test
    void groupsAreOfAboutTheSameSizeAndHoldEveryChunkOnce() throws Exception {
        long seed = System.nanoTime();
        System.out.println("seed " + seed);
        Random random = new Random(seed);
        for (int round = 0; round < 300; round++) {
            List<InputChunk> chunks = new ArrayList<>();
            for (int i = random.nextInt(100); i >= 0; i--) {
                chunks.add(chunk("/a", i, 1 + random.nextInt(8)));
            }
            long limit = 1 + random.nextInt(60);
            List<ChunkGroup> groups = Grouping.of(chunks, "job", limit, new Input(List.of()));

            assertThat(groups.stream().flatMap(group -> group.chunks().stream()))
                    .as("seed %d", seed)
                    .containsExactlyElementsOf(chunks);
            assertThat(groups).as("seed %d", seed).allMatch(group -> group.bytes() <= limit + 8);
        }
        assertThat(Grouping.of(List.of(), "job", 1, new Input(List.of()))).isEmpty();
    }

    @Test
    void aGroupsHostsAreThoseThatHoldMostOfIt() throws Exception {
        Path file = new Path("/a");
        Input input = new Input(List.of(
                own(new FileSplit(file, 0, 10, new String[] {"one", "two"})),
                own(new FileSplit(file, 10, 10, new String[] {"two", "three"})),
                own(new FileSplit(file, 20, 10, new String[] {"three", "four"}))));
        List<InputChunk> chunks = List.of(chunk("/a", 0, 10), chunk("/a", 10, 10), chunk("/a", 20, 9));

        List<ChunkGroup> groups = Grouping.of(chunks, "job", 100, input);

        assertThat(groups).hasSize(1);
        assertThat(groups.get(0).hosts()).containsExactly("two", "three", "one");
    }

    @Test
    void chunksOfTheSameBytesAreTheSameForTheSameFormatAndMapperAlone() {
        InputTag one = new InputTag("a.Format", "a.Mapper");
        List<InputTag> tags = List.of(
                InputTag.NONE,
                one,
                new InputTag("a.Format", "a.Mapper2"),
                new InputTag("a.Format2", "a.Mapper"),
                new InputTag("a.FormatM", "apper"));

        assertThat(tags.stream().map(tag -> tagged("/a", tag).fingerprint())).doesNotHaveDuplicates();
        assertThat(tagged("/a", one).fingerprint()).isEqualTo(tagged("/b", one).fingerprint());
    }

    @Test
    void tagsAreReadBackAsTheyWereWritten() throws Exception {
        List<InputChunk> chunks =
                List.of(tagged("/a", new InputTag("a.Format", "a.Mapper")), tagged("/a", InputTag.NONE));
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        InputChunk.write(new DataOutputStream(bytes), chunks);

        assertThat(InputChunk.read(new DataInputStream(new ByteArrayInputStream(bytes.toByteArray()))))
                .isEqualTo(chunks);
    }

    private static InputChunk tagged(String path, InputTag tag) {
        return new InputChunk(path, 0, 10, fingerprint("bytes"), InputHeader.NONE, tag);
    }

    private static OwnSplit own(FileSplit split) {
        return new OwnSplit(split, InputTag.NONE, Optional.of(split));
    }

    private static InputChunk chunk(String path, long offset, int length) {
        return new InputChunk(path, offset, length, fingerprint(path + offset));
    }

    private static Fingerprint fingerprint(String text) {
        return Fingerprint.ofData(ByteBuffer.wrap(text.getBytes()));
    }
}
