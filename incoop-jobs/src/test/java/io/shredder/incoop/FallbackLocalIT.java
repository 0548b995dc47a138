// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.mapreduce.lib.reduce.IntSumReducer;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Incremental runs that fail when some of their reducers have put something out already. */
class FallbackLocalIT extends LocalJobs {

    private static final Path OUTPUT = new Path("/out/fallback");

    @BeforeEach
    void upload() throws IOException {
        fs.delete(new Path("/side"), true);
        fs.delete(OUTPUT, true);
        Uploads.upload(fs, input, EditedTexts.bytes(EditedTexts.lines(new Random(85), 300)));
    }

    private Job failsOnce(FinishedJob.Setup setup) throws Exception {
        Job job = Job.getInstance(conf("inc-local"), "fails once");
        job.setMapperClass(TestMappers.CountingMapper.class);
        job.setReducerClass(LoggedCommits.FailsOnce.class);
        job.setOutputKeyClass(Text.class);
        job.setOutputValueClass(IntWritable.class);
        job.setNumReduceTasks(2);
        FileInputFormat.addInputPath(job, input);
        setup.apply(job);
        return job;
    }

    @Test
    void whatACommitterOfItsOwnHasPutOutIsNotPutOutTwice() throws Exception {
        Job job = failsOnce(own -> own.setOutputFormatClass(LoggedCommits.Format.class));

        assertThat(job.waitForCompletion(false)).isFalse();

        assertThat(fs.listStatus(LoggedCommits.FOLDER)).hasSize(1);
        assertThat(stagingFiles()).isEmpty();
    }

    @Test
    void aMapperThatNeedsAPlainRunGetsItWhateverTheCommitter() throws Exception {
        Job job = failsOnce(own -> {
            own.setOutputFormatClass(LoggedCommits.Format.class);
            own.setMapperClass(OddMappers.ProcessReader.class);
            own.setReducerClass(IntSumReducer.class);
        });

        assertThat(job.waitForCompletion(false)).isTrue();

        assertThat(fs.listStatus(LoggedCommits.FOLDER)).hasSize(2);
    }

    @Test
    void filesOfANewFolderAreWrittenAgain() throws Exception {
        Job job = failsOnce(files -> FileOutputFormat.setOutputPath(files, OUTPUT));

        assertThat(job.waitForCompletion(false)).isTrue();

        assertThat(FinishedJob.parts(fs, OUTPUT)).hasSize(2);
        assertThat(fs.exists(new Path("/side/failed"))).isTrue();
        assertThat(stagingFiles()).isEmpty();
    }

    /** Of reduce tasks, the failed ones, too. */
    private static List<java.nio.file.Path> stagingFiles() throws IOException {
        try (Stream<java.nio.file.Path> all = Files.walk(folder.toPath())) {
            return all.filter(file -> file.getFileName().toString().startsWith("incoop-attempt"))
                    .toList();
        }
    }
}
