// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.chunk.InTurn;
import io.shredder.incoop.config.IncoopKeys;
import io.shredder.incoop.memo.MemoCollection;
import io.shredder.incoop.task.IncoopCounter;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.output.SequenceFileOutputFormat;
import org.junit.jupiter.api.Test;

/** What the reduce side reuses, and that the memo store may lose anything at any time. */
@InTurn(days = 2)
class ContractionIT extends LocalJobs {

    private static final int LINES = 6000;

    @Test
    void oneChangedChunkRecomputesAtMostTwoNodesALevel() throws Exception {
        List<String> lines = upload(1);
        FinishedJob cold = wordCount("inc-local");
        assertThat(cold.chunks(IncoopCounter.CONTRACTION_NODES_COMPUTED)).isPositive();
        long computed = 0;
        long allowed = 0;
        for (int edit = 0; edit < 4; edit++) {
            lines.set(700 + 1300 * edit, "edit number " + edit);
            Uploads.upload(fs, input, EditedTexts.bytes(lines));
            FinishedJob edited = wordCount("inc-local");
            computed += edited.chunks(IncoopCounter.CONTRACTION_NODES_COMPUTED);
            allowed += 2 * 2 * edited.chunks(IncoopCounter.CONTRACTION_DEPTH);
            assertThat(edited.chunks(IncoopCounter.CONTRACTION_NODES_REUSED)).isPositive();
            assertThat(edited.chunks(IncoopCounter.PARTS_REUSED)).isZero();
            assertThat(edited.output()).isEqualTo(wordCount("local").output());
        }
        assertThat(computed).isLessThanOrEqualTo(allowed);
    }

    @Test
    void changesAllOverLeaveOutTheUpperNodesUntilAnEditThatLeavesThemAlone() throws Exception {
        List<String> lines = new ArrayList<>(EditedTexts.lines(new Random(9), 6 * LINES));
        Uploads.upload(fs, input, EditedTexts.bytes(lines));
        long nodes = wordCount("inc-local").chunks(IncoopCounter.CONTRACTION_NODES_COMPUTED);
        for (int line = 5; line < lines.size(); line += 120) {
            lines.set(line, "edit of line " + line);
        }
        Uploads.upload(fs, input, EditedTexts.bytes(lines));
        FinishedJob allOver = wordCount("inc-local");
        assertThat(allOver.chunks(IncoopCounter.CHUNKS_REUSED)).isPositive();
        assertThat(allOver.chunks(IncoopCounter.CONTRACTION_NODES_COMPUTED)).isLessThan(nodes / 2);
        assertThat(allOver.output()).isEqualTo(wordCount("local").output());

        lines.set(1000, "one more");
        Uploads.upload(fs, input, EditedTexts.bytes(lines));
        FinishedJob onePlace = wordCount("inc-local");
        assertThat(onePlace.chunks(IncoopCounter.CONTRACTION_NODES_COMPUTED)).isGreaterThan(nodes / 2);
        assertThat(onePlace.output()).isEqualTo(wordCount("local").output());

        lines.set(1000, "and another");
        Uploads.upload(fs, input, EditedTexts.bytes(lines));
        FinishedJob again = wordCount("inc-local");
        assertThat(again.chunks(IncoopCounter.CONTRACTION_NODES_COMPUTED)).isLessThan(nodes / 2);
        assertThat(again.output()).isEqualTo(wordCount("local").output());
    }

    @Test
    void unchangedInputReusesThePartFilesAndTheirCounters() throws Exception {
        upload(2);
        FinishedJob.Setup compressed = job -> FileOutputFormat.setCompressOutput(job, job.getNumReduceTasks() == 3);
        FinishedJob.Setup zipped = job -> {
            job.setNumReduceTasks(3);
            compressed.apply(job);
        };
        for (FinishedJob.Setup setup : List.of(compressed, zipped)) {
            FinishedJob cold = run("inc-local", setup);
            FinishedJob again = run("inc-local", setup);

            assertThat(again.chunks(IncoopCounter.PARTS_REUSED))
                    .isEqualTo(again.job().getNumReduceTasks());
            assertThat(again.output())
                    .isEqualTo(cold.output())
                    .isEqualTo(run("local", setup).output());
            for (TaskCounter counter : List.of(
                    TaskCounter.REDUCE_INPUT_GROUPS,
                    TaskCounter.REDUCE_INPUT_RECORDS,
                    TaskCounter.REDUCE_OUTPUT_RECORDS,
                    TaskCounter.MAP_OUTPUT_RECORDS)) {
                assertThat(again.counter(counter)).as(counter.name()).isEqualTo(cold.counter(counter));
            }
        }
    }

    @Test
    void anotherReducerOrOutputFormatOrNoPlaceForPartFilesReducesAgain() throws Exception {
        upload(3);
        wordCount("inc-local");

        FinishedJob otherReducer = run("inc-local", job -> job.setReducerClass(TestReducers.Doubling.class));
        FinishedJob otherFormat = run("inc-local", job -> job.setOutputFormatClass(SequenceFileOutputFormat.class));
        FinishedJob otherSeparator = run("inc-local", ContractionIT::separate);
        FinishedJob notKept = run("inc-local", job -> job.getConfiguration().setInt(IncoopKeys.PART_MAX_BYTES, 0));

        for (FinishedJob run : List.of(otherReducer, otherFormat, otherSeparator, notKept)) {
            assertThat(run.chunks(IncoopCounter.PARTS_REUSED)).isZero();
        }
        assertThat(otherReducer.output())
                .isEqualTo(run("local", job -> job.setReducerClass(TestReducers.Doubling.class))
                        .output());
        assertThat(otherSeparator.output())
                .isEqualTo(run("local", ContractionIT::separate).output());
    }

    private static void separate(Job job) {
        job.getConfiguration().set("mapreduce.output.textoutputformat.separator", " is ");
    }

    @Test
    void aReducerThatAsksForItsTaskOrWritesFilesOfItsOwnIsNeverSkipped() throws Exception {
        upload(4);
        for (var reducer : List.of(TestReducers.AskingForTask.class, TestReducers.SideFile.class)) {
            FinishedJob.Setup setup = job -> job.setReducerClass(reducer);
            run("inc-local", setup);
            FinishedJob again = run("inc-local", setup);

            assertThat(again.chunks(IncoopCounter.PARTS_REUSED))
                    .as(reducer.getName())
                    .isZero();
            assertThat(again.output()).hasSameSizeAs(run("local", setup).output());
        }
    }

    @Test
    void withoutACombinerAllIsMergedAndStillThePartFilesAreReused() throws Exception {
        List<String> lines = upload(5);
        FinishedJob.Setup setup = job -> job.getConfiguration().unset("mapreduce.job.combine.class");
        run("inc-local", setup);
        assertThat(run("inc-local", setup).chunks(IncoopCounter.PARTS_REUSED)).isEqualTo(2);
        lines.remove(100);
        Uploads.upload(fs, input, EditedTexts.bytes(lines));

        FinishedJob edited = run("inc-local", setup);

        assertThat(edited.chunks(IncoopCounter.CONTRACTION_NODES_COMPUTED)).isZero();
        assertThat(edited.output()).isEqualTo(run("local", setup).output());
    }

    @Test
    @InTurn(days = 3)
    void whateverTheStoreLosesOrGetsWrongTheResultStaysRight() throws Exception {
        List<String> lines = upload(6);
        wordCount("inc-local");
        Random random = new Random(7);
        for (String kind : List.of("n", "o", "g")) {
            lines.set(random.nextInt(LINES), "another line " + kind);
            damage(kind, random);
            assertThat(wordCount("inc-local").output())
                    .as("damaged %s, part file wanted", kind)
                    .isEqualTo(wordCount("local").output());
            Uploads.upload(fs, input, EditedTexts.bytes(lines));
            damage(kind, random);
            assertThat(wordCount("inc-local").output())
                    .as("damaged %s, edited", kind)
                    .isEqualTo(wordCount("local").output());
        }
    }

    @Test
    void aCollectionInTheMiddleOfAJobLeavesTheResultRight() throws Exception {
        List<String> lines = upload(8);
        wordCount("inc-local");
        lines.set(10, "a new line");
        Uploads.upload(fs, input, EditedTexts.bytes(lines));
        TestReducers.beforeTheFirstMap(ContractionIT::emptyTheStore);

        FinishedJob robbed = run("inc-local", job -> job.setMapperClass(TestReducers.HookedMapper.class));
        lines.set(10, "another new line");
        Uploads.upload(fs, input, EditedTexts.bytes(lines));
        TestReducers.beforeTheFirstMap(ContractionIT::emptyTheStore);
        FinishedJob robbedAgain = run("inc-local", job -> job.setMapperClass(TestReducers.HookedMapper.class));

        assertThat(robbed.output().keySet()).hasSize(2);
        assertThat(robbedAgain.chunks(IncoopCounter.CHUNKS_REUSED)).isPositive();
        assertThat(robbedAgain.chunks(IncoopCounter.SEGMENTS_REPAIRED)).isPositive();
        assertThat(robbedAgain.output()).isEqualTo(wordCount("local").output());
    }

    /** As a collection does whose grace is over and whose budget is used up. */
    private static void emptyTheStore() throws IOException {
        Configuration conf = new Configuration(fs.getConf());
        conf.set(IncoopKeys.MEMO_GRACE, "0s");
        conf.setInt(IncoopKeys.MEMO_MAX_BYTES, 1);
        MemoCollection.Outcome outcome =
                MemoCollection.of(conf, IncoopKeys.memoDir(conf)).run(false);
        assertThat(outcome.files()).isPositive();
        assertThat(outcome.keptFiles()).isZero();
    }

    private List<String> upload(int seed) throws IOException {
        List<String> lines = new ArrayList<>(EditedTexts.lines(new Random(seed), LINES));
        Uploads.upload(fs, input, EditedTexts.bytes(lines));
        return lines;
    }

    /** One file of a kind gone, one cut, one with a flipped byte. */
    private static void damage(String kind, Random random) throws IOException {
        FileStatus[] files = fs.globStatus(new Path("/user/*/.incoop/*/*-" + kind + "*.memo"));
        assertThat(files).isNotEmpty();
        for (int i = 0; i < files.length; i++) {
            Path file = files[i].getPath();
            byte[] bytes;
            try (var in = fs.open(file)) {
                bytes = in.readAllBytes();
            }
            fs.delete(file, false);
            if (i % 3 != 0) {
                bytes[random.nextInt(bytes.length)] ^= 1;
                try (FSDataOutputStream out = fs.create(file)) {
                    out.write(bytes, 0, i % 3 == 1 ? bytes.length : random.nextInt(bytes.length));
                }
            }
        }
    }
}
