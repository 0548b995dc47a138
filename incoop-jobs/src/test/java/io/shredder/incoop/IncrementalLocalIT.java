// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.shredder.chunk.Fingerprint;
import io.shredder.chunk.InTurn;
import io.shredder.incoop.config.IncoopKeys;
import io.shredder.incoop.memo.MemoKind;
import io.shredder.incoop.memo.MemoReader;
import io.shredder.incoop.memo.MemoStore;
import io.shredder.incoop.memo.MemoWriter;
import io.shredder.incoop.memo.Reuse;
import io.shredder.incoop.task.IncoopCounter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.junit.jupiter.api.Test;

/** The stock WordCount, never changed, made incremental in this process. */
@InTurn(days = 2)
class IncrementalLocalIT extends LocalJobs {

    @Test
    void aColdRunGivesWhatAPlainRunGives() throws Exception {
        Uploads.upload(fs, input, EditedTexts.bytes(EditedTexts.lines(new Random(1), 6000)));

        FinishedJob cold = wordCount("inc-local");

        assertThat(cold.chunks(IncoopCounter.CHUNKS_TOTAL)).isGreaterThan(20);
        assertThat(cold.chunks(IncoopCounter.CHUNKS_REUSED)).isZero();
        assertThat(cold.output()).isEqualTo(wordCount("local").output()).hasSize(2);
    }

    /** As {@code hadoop shredder scan --write} leaves it. */
    @Test
    void aFileOfUnevenBlocksIsReadInChunksAsAnyOther() throws Exception {
        List<String> lines = EditedTexts.lines(new Random(31), 6000);
        Uploads.upload(fs, input, EditedTexts.bytes(lines));
        wordCount("inc-local");
        lines.set(3000, "something quite different");
        Uploads.uploadUneven(fs, input, EditedTexts.bytes(lines));

        FinishedJob uneven = wordCount("inc-local");

        assertThat(uneven.chunks(IncoopCounter.CHUNKS_COMPUTED)).isBetween(1L, 3L);
        assertThat(uneven.output()).isEqualTo(wordCount("local").output());
    }

    @Test
    void anUnchangedFileNeedsNoMap() throws Exception {
        Uploads.upload(fs, input, EditedTexts.bytes(EditedTexts.lines(new Random(2), 3000)));
        wordCount("inc-local");

        FinishedJob again = wordCount("inc-local");

        assertThat(again.job().getConfiguration().getInt("mapreduce.job.maps", -1))
                .isZero();
        assertThat(again.chunks(IncoopCounter.CHUNKS_COMPUTED)).isZero();
        assertThat(again.output()).isEqualTo(wordCount("local").output());
    }

    @Test
    void afterAnEditOnlyTheChunksAroundItAreComputed() throws Exception {
        List<String> lines = EditedTexts.lines(new Random(3), 6000);
        Uploads.upload(fs, input, EditedTexts.bytes(lines));
        wordCount("inc-local");
        lines.set(3000, "something quite different");
        Uploads.upload(fs, input, EditedTexts.bytes(lines));

        FinishedJob edited = wordCount("inc-local");

        assertThat(edited.chunks(IncoopCounter.CHUNKS_COMPUTED)).isBetween(1L, 3L);
        assertThat(edited.output()).isEqualTo(wordCount("local").output());
    }

    @Test
    void aMovedFileNeedsNoMapUntilItsBytesChange() throws Exception {
        List<String> lines = EditedTexts.lines(new Random(21), 3000);
        Uploads.upload(fs, input, EditedTexts.bytes(lines));
        Uploads.nameManifest(fs, input);
        wordCount("inc-local");
        Path moved = new Path(input.getParent(), "moved");
        assertThat(fs.rename(input, moved)).isTrue();

        FinishedJob again = wordCount("inc-local");

        assertThat(again.chunks(IncoopCounter.CHUNKS_COMPUTED)).isZero();
        assertThat(again.chunks(IncoopCounter.CHUNKS_REUSED)).isGreaterThan(10);
        assertThat(again.output()).isEqualTo(wordCount("local").output());

        lines.set(1500, "other");
        try (FSDataOutputStream out = fs.create(moved, true)) {
            out.write(EditedTexts.bytes(lines));
        }

        assertThat(wordCount("inc-local").output())
                .isEqualTo(wordCount("local").output())
                .isNotEqualTo(again.output());
    }

    @Test
    void countersOfMapsThatDidNotRunAreCountedAllTheSame() throws Exception {
        List<String> lines = EditedTexts.lines(new Random(4), 3000);
        Uploads.upload(fs, input, EditedTexts.bytes(lines));
        wordCount("inc-local");
        lines.set(7, "new");
        Uploads.upload(fs, input, EditedTexts.bytes(lines));

        FinishedJob edited = wordCount("inc-local");
        FinishedJob plain = wordCount("local");

        for (TaskCounter counter : List.of(
                TaskCounter.MAP_INPUT_RECORDS,
                TaskCounter.MAP_OUTPUT_RECORDS,
                TaskCounter.MAP_OUTPUT_BYTES,
                TaskCounter.REDUCE_OUTPUT_RECORDS)) {
            assertThat(edited.counter(counter)).as(counter.name()).isEqualTo(plain.counter(counter));
        }
    }

    @Test
    void manySmallMapTasksGiveTheSame() throws Exception {
        Uploads.upload(fs, input, EditedTexts.bytes(EditedTexts.lines(new Random(5), 3000)));
        Uploads.upload(fs, new Path("/in/second"), EditedTexts.bytes(EditedTexts.lines(new Random(6), 1000)));

        FinishedJob small = run("inc-local", job -> job.getConfiguration().set(IncoopKeys.MAP_TASK_BYTES, "20k"));

        assertThat(small.job().getConfiguration().getInt("mapreduce.job.maps", -1))
                .isGreaterThan(5);
        assertThat(small.output()).isEqualTo(wordCount("local").output());
    }

    @Test
    void aDamagedMemoIsComputedAgainAndNotTriedTwice() throws Exception {
        Uploads.upload(fs, input, EditedTexts.bytes(EditedTexts.lines(new Random(7), 3000)));
        wordCount("inc-local");
        flipByte(onlyLeafFile(), 5000);
        deleteAll("/user/*/.incoop/*/*-[no]*.memo");

        FinishedJob damaged = wordCount("inc-local");
        FinishedJob after = wordCount("inc-local");

        assertThat(damaged.chunks(IncoopCounter.SEGMENTS_REPAIRED)).isEqualTo(1);
        assertThat(damaged.output()).isEqualTo(wordCount("local").output());
        assertThat(after.chunks(IncoopCounter.SEGMENTS_REPAIRED)).isZero();
        assertThat(after.chunks(IncoopCounter.CHUNKS_COMPUTED)).isEqualTo(1);
        assertThat(after.output()).isEqualTo(damaged.output());
    }

    @Test
    void aMemoFileWithADamagedIndexIsAMiss() throws Exception {
        Uploads.upload(fs, input, EditedTexts.bytes(EditedTexts.lines(new Random(8), 2000)));
        wordCount("inc-local");
        Path memo = onlyLeafFile();
        flipByte(memo, (int) fs.getFileStatus(memo).getLen() - 100);

        FinishedJob damaged = wordCount("inc-local");

        assertThat(damaged.chunks(IncoopCounter.CHUNKS_REUSED)).isZero();
        assertThat(damaged.output()).isEqualTo(wordCount("local").output());
    }

    @Test
    void memosThatGoWhileTheJobRunsAreComputedAgain() throws Exception {
        List<String> lines = EditedTexts.lines(new Random(28), 3000);
        Uploads.upload(fs, input, EditedTexts.bytes(lines));
        FinishedJob.Setup interrupted = job -> job.setMapperClass(TestMappers.InterruptedMapper.class);
        run("inc-local", interrupted);
        lines.add(1500, "interrupt");
        Uploads.upload(fs, input, EditedTexts.bytes(lines));
        AtomicBoolean removed = new AtomicBoolean();
        // By another thread: it is not the job that removes them.
        TestMappers.InterruptedMapper.interruptWith(
                () -> CompletableFuture.runAsync(() -> removed.set(remove("/user/*/.incoop/*/*.memo")))
                        .join());

        FinishedJob run = run("inc-local", interrupted);

        TestMappers.InterruptedMapper.interruptWith(() -> {});
        assertThat(removed).isTrue();
        assertThat(run.chunks(IncoopCounter.CHUNKS_REUSED)).isPositive();
        assertThat(run.output()).isEqualTo(run("local", interrupted).output());
    }

    private static boolean remove(String pattern) {
        try {
            boolean removed = false;
            for (FileStatus file : fs.globStatus(new Path(pattern))) {
                removed |= fs.delete(file.getPath(), false);
            }
            return removed;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void anotherNumberOfReducersIsAnotherJob() throws Exception {
        Uploads.upload(fs, input, EditedTexts.bytes(EditedTexts.lines(new Random(15), 1000)));
        wordCount("inc-local");

        FinishedJob three = run("inc-local", job -> job.setNumReduceTasks(3));

        assertThat(three.chunks(IncoopCounter.CHUNKS_REUSED)).isZero();
        assertThat(three.output()).hasSize(3);
    }

    @Test
    void countersOfTheJobsOwnAreCountedAllTheSame() throws Exception {
        List<String> lines = EditedTexts.lines(new Random(20), 1500);
        Uploads.upload(fs, input, EditedTexts.bytes(lines));
        FinishedJob.Setup counting = job -> job.setMapperClass(TestMappers.CountingMapper.class);
        run("inc-local", counting);
        lines.add(700, "one more");
        Uploads.upload(fs, input, EditedTexts.bytes(lines));

        FinishedJob edited = run("inc-local", counting);

        assertThat(edited.chunks(IncoopCounter.CHUNKS_REUSED)).isPositive();
        assertThat(edited.job().getCounters().findCounter("mine", "lines").getValue())
                .isEqualTo(1501);
        assertThat(edited.job()
                        .getCounters()
                        .findCounter(TestMappers.Mine.SETUPS)
                        .getValue())
                .isEqualTo(edited.chunks(IncoopCounter.CHUNKS_TOTAL));
    }

    @Test
    void aFailedMapPublishesNothingAndTheNextRunIsRight() throws Exception {
        List<String> lines = EditedTexts.lines(new Random(21), 1500);
        lines.set(1200, "boom");
        Uploads.upload(fs, input, EditedTexts.bytes(lines));
        FinishedJob.Setup failing = job -> job.setMapperClass(TestMappers.FailingMapper.class);

        assertThatThrownBy(() -> run("inc-local", failing)).isInstanceOf(AssertionError.class);

        assertThat(fs.globStatus(new Path("/user/*/.incoop/*/*.memo"))).isEmpty();
        assertThat(fs.globStatus(new Path("/user/*/.incoop/*/tmp/*"))).isEmpty();
        lines.set(1200, "calm");
        Uploads.upload(fs, input, EditedTexts.bytes(lines));
        assertThat(run("inc-local", failing).output())
                .isEqualTo(run("local", failing).output());
    }

    @Test
    void ofTwoAttemptsAtTheSameFileTheFirstStays() throws Exception {
        Fingerprint identity = Fingerprint.ofData(ByteBuffer.wrap(new byte[] {1}));
        MemoStore store = new MemoStore(fs.getConf(), new Path("/user/memo"), identity);
        store.prepare("two attempts\n");
        try (MemoWriter first = store.writer(MemoKind.LEAVES, "g.memo", "attempt_0", 1);
                MemoWriter second = store.writer(MemoKind.LEAVES, "g.memo", "attempt_1", 1)) {
            first.append(identity, Reuse.REUSABLE, List.of(new byte[] {1}), List.of(), List.of());
            second.append(identity, Reuse.REUSABLE, List.of(new byte[] {2}), List.of(), List.of());
            first.publish();
            second.publish();
        }

        try (MemoReader reader = store.open("g.memo")) {
            assertThat(reader.read(reader.entries().get(0).segments().get(0))).containsExactly(1);
        }
        assertThat(fs.listStatus(new Path("/user/memo/" + identity + "/tmp"))).isEmpty();
    }

    @Test
    void theSameChunkInTwoFilesCountsTwice() throws Exception {
        byte[] data = EditedTexts.bytes(EditedTexts.lines(new Random(24), 1000));
        Uploads.upload(fs, input, data);
        Uploads.upload(fs, new Path("/in/same"), data);

        FinishedJob cold = wordCount("inc-local");
        FinishedJob again = wordCount("inc-local");

        assertThat(cold.output()).isEqualTo(wordCount("local").output());
        assertThat(again.output()).isEqualTo(cold.output());
        assertThat(again.chunks(IncoopCounter.CHUNKS_COMPUTED)).isZero();
    }

    @Test
    void compressedMapOutputIsKeptCompressed() throws Exception {
        List<String> lines = EditedTexts.lines(new Random(25), 1500);
        Uploads.upload(fs, input, EditedTexts.bytes(lines));
        FinishedJob.Setup compressed = job -> job.getConfiguration().setBoolean("mapreduce.map.output.compress", true);
        run("inc-local", compressed);
        lines.remove(3);
        Uploads.upload(fs, input, EditedTexts.bytes(lines));

        FinishedJob edited = run("inc-local", compressed);

        assertThat(edited.chunks(IncoopCounter.CHUNKS_REUSED)).isPositive();
        assertThat(edited.output()).isEqualTo(run("local", compressed).output());
    }

    private static Path onlyLeafFile() throws IOException {
        FileStatus[] memos = fs.globStatus(new Path("/user/*/.incoop/*/*-g*.memo"));
        assertThat(memos).hasSize(1);
        return memos[0].getPath();
    }

    private static void deleteAll(String glob) throws IOException {
        FileStatus[] files = fs.globStatus(new Path(glob));
        assertThat(files).isNotEmpty();
        for (FileStatus file : files) {
            fs.delete(file.getPath(), false);
        }
    }

    private static void flipByte(Path file, int at) throws IOException {
        byte[] bytes;
        try (FSDataInputStream in = fs.open(file)) {
            bytes = in.readAllBytes();
        }
        bytes[at] ^= 1;
        try (FSDataOutputStream out = fs.create(file, true)) {
            out.write(bytes);
        }
    }
}
