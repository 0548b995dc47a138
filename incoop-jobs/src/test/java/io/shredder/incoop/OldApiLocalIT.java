// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.chunk.InTurn;
import java.io.File;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.Counters;
import org.apache.hadoop.mapred.FileInputFormat;
import org.apache.hadoop.mapred.FileOutputFormat;
import org.apache.hadoop.mapred.JobClient;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.KeyValueTextInputFormat;
import org.apache.hadoop.mapred.RunningJob;
import org.apache.hadoop.mapred.lib.MultithreadedMapRunner;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.junit.jupiter.api.Test;

/** Jobs of the package {@code org.apache.hadoop.mapred}, run by JobClient as their own main programs run them. */
class OldApiLocalIT extends LocalJobs {

    private static final AtomicInteger OUTPUTS = new AtomicInteger();

    private record OldRun(Counters counters, Map<String, String> output) {

        long incoop(String name) {
            return counters.findCounter("Incoop", name).getCounter();
        }

        long mine(String name) {
            return counters.findCounter("mine", name).getCounter();
        }
    }

    @Test
    void afterAnEditOnlyTheChunksAroundItAreComputed() throws Exception {
        List<String> lines = EditedTexts.lines(new Random(31), 6000);
        Uploads.upload(fs, input, EditedTexts.bytes(lines));
        OldRun cold = oldRun("inc-local", job -> {});
        assertThat(cold.output()).isEqualTo(oldRun("local", job -> {}).output()).hasSize(2);
        lines.set(3000, "something quite different");
        Uploads.upload(fs, input, EditedTexts.bytes(lines));

        OldRun edited = oldRun("inc-local", job -> {});
        OldRun plain = oldRun("local", job -> {});

        assertThat(edited.incoop("CHUNKS_COMPUTED")).isBetween(1L, 3L);
        assertThat(edited.incoop("CHUNKS_REUSED")).isGreaterThan(10);
        assertThat(edited.output()).isEqualTo(plain.output());
        for (TaskCounter counter : List.of(
                TaskCounter.MAP_INPUT_RECORDS, TaskCounter.MAP_OUTPUT_RECORDS, TaskCounter.REDUCE_OUTPUT_RECORDS)) {
            assertThat(edited.counters().getCounter(counter))
                    .isEqualTo(plain.counters().getCounter(counter));
        }
    }

    @Test
    void eachChunkHasAMapperThatIsConfiguredAndClosed() throws Exception {
        Uploads.upload(fs, input, EditedTexts.bytes(EditedTexts.lines(new Random(32), 2000)));

        OldRun cold = oldRun("inc-local", job -> {});
        OldRun again = oldRun("inc-local", job -> {});

        for (OldRun run : List.of(cold, again)) {
            assertThat(run.mine("lines")).isEqualTo(2000);
            assertThat(run.mine("mappers")).isEqualTo(run.incoop("CHUNKS_TOTAL"));
            assertThat(run.mine("closed")).isEqualTo(run.incoop("CHUNKS_TOTAL"));
        }
        assertThat(again.incoop("CHUNKS_COMPUTED")).isZero();
    }

    @Test
    void aPartitionerOfTheOldApiDecides() throws Exception {
        Uploads.upload(fs, input, EditedTexts.bytes(EditedTexts.lines(new Random(33), 1500)));
        Consumer<JobConf> byLength = job -> {
            job.setPartitionerClass(OldApiJobs.ByLength.class);
            job.setNumReduceTasks(3);
        };

        OldRun incremental = oldRun("inc-local", byLength);

        assertThat(incremental.incoop("CHUNKS_COMPUTED")).isPositive();
        assertThat(incremental.output()).isEqualTo(oldRun("local", byLength).output());
    }

    @InTurn(days = 3)
    @Test
    void keysAndValuesInTextAreServedToo() throws Exception {
        Uploads.upload(fs, input, EditedTexts.bytes(EditedTexts.lines(new Random(34), 1500)));
        Consumer<JobConf> keyValue = job -> {
            job.setInputFormat(KeyValueTextInputFormat.class);
            job.setMapperClass(OldApiJobs.KeyCount.class);
        };
        oldRun("inc-local", keyValue);

        OldRun again = oldRun("inc-local", keyValue);

        assertThat(again.incoop("CHUNKS_REUSED")).isPositive();
        assertThat(again.output()).isEqualTo(oldRun("local", keyValue).output());
    }

    @InTurn(days = 3)
    @Test
    void mappersThatAskWhereTheyAreAreRightAndNeverReused() throws Exception {
        for (Class<? extends org.apache.hadoop.mapred.Mapper<?, ?, Text, IntWritable>> mapper :
                List.of(OldApiJobs.OffsetMapper.class, OldApiJobs.SplitMapper.class)) {
            Uploads.upload(fs, input, EditedTexts.bytes(EditedTexts.lines(new Random(35), 1500)));

            OldRun first = oldRun("inc-local", job -> job.setMapperClass(mapper));
            OldRun second = oldRun("inc-local", job -> job.setMapperClass(mapper));

            assertThat(first.incoop("CHUNKS_COMPUTED")).isPositive();
            assertThat(first.output())
                    .isEqualTo(
                            oldRun("local", job -> job.setMapperClass(mapper)).output());
            assertThat(second.incoop("CHUNKS_TOTAL")).isZero();
            assertThat(second.output()).isEqualTo(first.output());
        }
    }

    @Test
    void aFilesNameThatAMapperAsksForByItsOldestNameIsNoticed() throws Exception {
        Uploads.upload(fs, input, EditedTexts.bytes(EditedTexts.lines(new Random(36), 1000)));
        oldRun("inc-local", job -> job.setMapperClass(OldApiJobs.FileNameMapper.class));
        fs.delete(input.getParent(), true);
        Uploads.upload(fs, new Path("/in/renamed"), EditedTexts.bytes(EditedTexts.lines(new Random(36), 1000)));

        OldRun renamed = oldRun("inc-local", job -> job.setMapperClass(OldApiJobs.FileNameMapper.class));

        assertThat(renamed.output().toString()).contains("renamed").doesNotContain("/in/text");
    }

    @InTurn(days = 3)
    @Test
    void aMapRunnableOfItsOwnRunsForEachChunk() throws Exception {
        List<String> lines = EditedTexts.lines(new Random(39), 3000);
        Uploads.upload(fs, input, EditedTexts.bytes(lines));
        Consumer<JobConf> ownRunner = job -> job.setMapRunnerClass(OldApiJobs.CountingRunner.class);
        OldRun cold = oldRun("inc-local", ownRunner);
        lines.set(1500, "something quite different");
        Uploads.upload(fs, input, EditedTexts.bytes(lines));

        OldRun edited = oldRun("inc-local", ownRunner);

        assertThat(cold.mine("runners")).isEqualTo(cold.incoop("CHUNKS_TOTAL")).isGreaterThan(5);
        assertThat(edited.mine("runners")).isEqualTo(edited.incoop("CHUNKS_TOTAL"));
        assertThat(edited.incoop("CHUNKS_COMPUTED")).isBetween(1L, 3L);
        assertThat(edited.output()).isEqualTo(oldRun("local", ownRunner).output());
        // Another runner, another job.
        assertThat(oldRun("inc-local", job -> {}).incoop("CHUNKS_REUSED")).isZero();
    }

    @Test
    void aMapRunnableWithTwoValuesSeesBoth() throws Exception {
        Uploads.upload(fs, input, EditedTexts.bytes(EditedTexts.lines(new Random(40), 500)));
        Consumer<JobConf> pairs = job -> job.setMapRunnerClass(OldApiJobs.PairsRunner.class);

        OldRun run = oldRun("inc-local", pairs);

        assertThat(run.output()).isEqualTo(oldRun("local", pairs).output());
    }

    @Test
    void aMapRunnableWithThreadsRunsPlainly() throws Exception {
        Uploads.upload(fs, input, EditedTexts.bytes(EditedTexts.lines(new Random(37), 500)));

        OldRun plain = oldRun("inc-local", job -> {
            job.setMapRunnerClass(MultithreadedMapRunner.class);
            job.setMapperClass(OldApiJobs.OffsetMapper.class);
        });

        assertThat(plain.incoop("CHUNKS_TOTAL")).isZero();
        assertThat(plain.output())
                .isEqualTo(oldRun("local", job -> job.setMapperClass(OldApiJobs.OffsetMapper.class))
                        .output());
    }

    @Test
    void aFileWithoutAManifestRunsPlainlyByTheOldApiStill() throws Exception {
        fs.create(input).close();
        Uploads.upload(fs, new Path("/in/second"), EditedTexts.bytes(EditedTexts.lines(new Random(38), 500)));
        fs.delete(Uploads.sideFile(new Path("/in/second")), false);

        OldRun plain = oldRun("inc-local", job -> {});

        assertThat(plain.incoop("CHUNKS_TOTAL")).isZero();
        assertThat(plain.output()).isEqualTo(oldRun("local", job -> {}).output());
    }

    private OldRun oldRun(String framework, Consumer<JobConf> setup) throws Exception {
        JobConf job = new JobConf(fs.getConf());
        job.set("mapreduce.framework.name", framework);
        job.set("hadoop.tmp.dir", new File(folder, "tmp").toString());
        job.setJobName("old word count");
        job.setMapperClass(OldApiJobs.WordMapper.class);
        job.setCombinerClass(OldApiJobs.Sum.class);
        job.setReducerClass(OldApiJobs.Sum.class);
        job.setOutputKeyClass(Text.class);
        job.setOutputValueClass(IntWritable.class);
        job.setNumReduceTasks(2);
        setup.accept(job);
        FileInputFormat.addInputPath(job, input.getParent());
        Path output = new Path("/old-out/" + OUTPUTS.getAndIncrement());
        FileOutputFormat.setOutputPath(job, output);
        RunningJob done = JobClient.runJob(job);
        return new OldRun(done.getCounters(), FinishedJob.parts(fs, output));
    }
}
