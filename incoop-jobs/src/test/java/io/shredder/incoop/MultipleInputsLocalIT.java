// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.chunk.InTurn;
import io.shredder.incoop.task.IncoopCounter;
import java.io.File;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.FileOutputFormat;
import org.apache.hadoop.mapred.JobClient;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.RunningJob;
import org.apache.hadoop.mapreduce.InputFormat;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.Mapper;
import org.apache.hadoop.mapreduce.lib.input.CombineTextInputFormat;
import org.apache.hadoop.mapreduce.lib.input.KeyValueTextInputFormat;
import org.apache.hadoop.mapreduce.lib.input.MultipleInputs;
import org.apache.hadoop.mapreduce.lib.input.TextInputFormat;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Jobs each of whose paths has an input format and a mapper of its own. */
class MultipleInputsLocalIT extends LocalJobs {

    private static final AtomicInteger OUTPUTS = new AtomicInteger();
    private static final Path ONE = new Path("/in/one/text");
    private static final Path OTHER = new Path("/in/other/text");

    @BeforeEach
    void uploadTheSameTwice() throws IOException {
        byte[] data = EditedTexts.bytes(EditedTexts.lines(new Random(81), 2000));
        Uploads.upload(fs, ONE, data);
        Uploads.upload(fs, OTHER, data);
    }

    private interface Paths {
        void add(Job job);
    }

    @SuppressWarnings("rawtypes")
    private static void add(Job job, Path path, Class<? extends InputFormat> format, Class<? extends Mapper> mapper) {
        MultipleInputs.addInputPath(job, path, format, mapper);
    }

    private static FinishedJob runOnce(String framework, Paths paths) throws Exception {
        Job job = Job.getInstance(conf(framework), "several inputs");
        job.setCombinerClass(org.apache.hadoop.examples.WordCount.IntSumReducer.class);
        job.setReducerClass(org.apache.hadoop.examples.WordCount.IntSumReducer.class);
        job.setOutputKeyClass(Text.class);
        job.setOutputValueClass(IntWritable.class);
        job.setNumReduceTasks(2);
        paths.add(job);
        Path output = new Path("/several-out/" + OUTPUTS.getAndIncrement());
        org.apache.hadoop.mapreduce.lib.output.FileOutputFormat.setOutputPath(job, output);
        assertThat(job.waitForCompletion(false)).isTrue();
        return new FinishedJob(job, FinishedJob.parts(fs, output));
    }

    private static FinishedJob likePlainly(Paths paths) throws Exception {
        FinishedJob run = runOnce("inc-local", paths);
        assertThat(run.output()).isEqualTo(runOnce("local", paths).output());
        return run;
    }

    @InTurn(days = 3)
    @Test
    void theSameBytesUnderDifferentMappersAreNeverTakenForEachOther() throws Exception {
        FinishedJob cold = likePlainly(job -> {
            add(job, ONE, TextInputFormat.class, InputMappers.Left.class);
            add(job, OTHER, TextInputFormat.class, InputMappers.Right.class);
        });
        FinishedJob swapped = likePlainly(job -> {
            add(job, ONE, TextInputFormat.class, InputMappers.Right.class);
            add(job, OTHER, TextInputFormat.class, InputMappers.Left.class);
        });
        FinishedJob one = likePlainly(job -> {
            add(job, ONE, TextInputFormat.class, InputMappers.Left.class);
            add(job, OTHER, TextInputFormat.class, InputMappers.Left.class);
        });

        assertThat(cold.chunks(IncoopCounter.CHUNKS_REUSED)).isZero();
        assertThat(cold.output().toString()).contains("left ").contains("right ");
        assertThat(swapped.chunks(IncoopCounter.CHUNKS_COMPUTED)).isZero();
        assertThat(one.output().toString()).doesNotContain("right ");
    }

    @Test
    void eachPathHasItsOwnFormatAndAfterAnEditOnlyItsChunksAreComputed() throws Exception {
        Paths paths = job -> {
            add(job, ONE, TextInputFormat.class, InputMappers.Left.class);
            add(job, OTHER, KeyValueTextInputFormat.class, InputMappers.Keys.class);
        };
        likePlainly(paths);
        List<String> lines = EditedTexts.lines(new Random(81), 2000);
        lines.set(1000, "something quite different");
        Uploads.upload(fs, OTHER, EditedTexts.bytes(lines));

        FinishedJob edited = likePlainly(paths);

        assertThat(edited.chunks(IncoopCounter.CHUNKS_COMPUTED)).isBetween(1L, 3L);
        assertThat(edited.output().toString()).contains("key something quite different");
    }

    @InTurn(days = 3)
    @Test
    void aPathWithAFormatThatIsNotServedOrWithoutAManifestIsMappedPlainly() throws Exception {
        Path bare = new Path("/in/bare/text");
        try (FSDataOutputStream out = fs.create(bare)) {
            out.write(EditedTexts.bytes(EditedTexts.lines(new Random(82), 500)));
        }
        Paths paths = job -> {
            add(job, ONE, TextInputFormat.class, InputMappers.Left.class);
            add(job, OTHER, CombineTextInputFormat.class, InputMappers.Right.class);
            add(job, bare, KeyValueTextInputFormat.class, InputMappers.Keys.class);
        };

        FinishedJob cold = likePlainly(paths);
        FinishedJob again = likePlainly(paths);

        assertThat(cold.chunks(IncoopCounter.PLAIN_FILES)).isEqualTo(2);
        assertThat(again.chunks(IncoopCounter.CHUNKS_COMPUTED)).isZero();
        assertThat(again.chunks(IncoopCounter.CHUNKS_TOTAL)).isPositive();
    }

    @InTurn(days = 3)
    @Test
    void oneMapperMayServeAllPaths() throws Exception {
        Paths paths = job -> {
            MultipleInputs.addInputPath(job, ONE, TextInputFormat.class);
            MultipleInputs.addInputPath(job, OTHER, TextInputFormat.class);
            job.setMapperClass(InputMappers.Right.class);
        };

        FinishedJob cold = likePlainly(paths);

        assertThat(cold.ranPlainly()).isFalse();
        assertThat(cold.output().toString()).contains("right ");
        assertThat(likePlainly(paths).chunks(IncoopCounter.CHUNKS_COMPUTED)).isZero();
    }

    @Test
    void aMapperSeesItsSplitWrappedAsInAPlainRun() throws Exception {
        FinishedJob run = likePlainly(job -> add(job, ONE, TextInputFormat.class, InputMappers.SplitKind.class));

        assertThat(run.ranPlainly()).isFalse();
        assertThat(run.output().toString()).contains("TaggedInputSplit");
    }

    @InTurn(days = 3)
    @Test
    void aReaderThatAsksForItsTaskHasTheWholeJobRunPlainly() throws Exception {
        Paths paths = job -> {
            add(job, ONE, TextInputFormat.class, InputMappers.Left.class);
            add(job, OTHER, InputMappers.TellingItsTask.class, InputMappers.Right.class);
        };

        assertThat(likePlainly(paths).ranPlainly()).isTrue();
        assertThat(likePlainly(paths).ranPlainly()).isTrue();
    }

    private static Map<String, String> oldRun(String framework, boolean[] plainly) throws Exception {
        JobConf job = new JobConf(fs.getConf());
        job.set("mapreduce.framework.name", framework);
        job.set("hadoop.tmp.dir", new File(folder, "tmp").toString());
        job.setJobName("several old inputs");
        job.setReducerClass(OldApiJobs.Sum.class);
        job.setOutputKeyClass(Text.class);
        job.setOutputValueClass(IntWritable.class);
        job.setNumReduceTasks(2);
        org.apache.hadoop.mapred.lib.MultipleInputs.addInputPath(
                job, ONE, org.apache.hadoop.mapred.TextInputFormat.class, InputMappers.OldLeft.class);
        org.apache.hadoop.mapred.lib.MultipleInputs.addInputPath(
                job, OTHER, org.apache.hadoop.mapred.KeyValueTextInputFormat.class, InputMappers.OldRight.class);
        Path output = new Path("/several-out/" + OUTPUTS.getAndIncrement());
        FileOutputFormat.setOutputPath(job, output);
        RunningJob done = JobClient.runJob(job);
        plainly[0] = done.getCounters().findCounter("Incoop", "CHUNKS_TOTAL").getCounter() == 0;
        return FinishedJob.parts(fs, output);
    }

    @Test
    void jobsOfTheOldApiAreServedTheSameWay() throws Exception {
        boolean[] plainly = new boolean[1];
        Map<String, String> expected = oldRun("local", plainly);
        Map<String, String> cold = oldRun("inc-local", plainly);

        assertThat(plainly[0]).isFalse();
        assertThat(cold).isEqualTo(expected);
        fs.delete(Uploads.sideFile(OTHER), false);

        Map<String, String> mixed = oldRun("inc-local", plainly);

        assertThat(plainly[0]).isFalse();
        assertThat(mixed).isEqualTo(expected);
    }
}
