// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop;

import static org.assertj.core.api.Assertions.assertThat;

import io.shredder.incoop.task.IncoopCounter;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.apache.hadoop.conf.Configuration;
import org.apache.hadoop.examples.WordCount;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FileStatus;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.TaskCounter;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;

/** A job that has run, with its part files. */
record FinishedJob(Job job, Map<String, String> output) {

    private static final AtomicInteger OUTPUTS = new AtomicInteger();

    /** What a test changes in the stock job. */
    interface Setup {
        void apply(Job job);
    }

    /** Runs the stock WordCount with two reducers, as its main program sets it up. */
    static FinishedJob wordCount(Configuration conf, FileSystem fs, Path input, Setup setup) throws Exception {
        Job job = Job.getInstance(conf, "word count");
        job.setMapperClass(WordCount.TokenizerMapper.class);
        job.setCombinerClass(WordCount.IntSumReducer.class);
        job.setReducerClass(WordCount.IntSumReducer.class);
        job.setOutputKeyClass(Text.class);
        job.setOutputValueClass(IntWritable.class);
        job.setNumReduceTasks(2);
        setup.apply(job);
        return of(job, fs, input);
    }

    /** Runs a job with the input and an output folder of its own. */
    static FinishedJob of(Job job, FileSystem fs, Path input) throws Exception {
        FileInputFormat.addInputPath(job, input);
        Path output = new Path("/out/" + OUTPUTS.getAndIncrement());
        FileOutputFormat.setOutputPath(job, output);
        assertThat(job.waitForCompletion(false)).isTrue();
        return new FinishedJob(job, parts(fs, output));
    }

    static Map<String, String> parts(FileSystem fs, Path output) throws IOException {
        Map<String, String> parts = new TreeMap<>();
        for (FileStatus part : fs.globStatus(new Path(output, "part-*"))) {
            try (FSDataInputStream in = fs.open(part.getPath())) {
                parts.put(part.getPath().getName(), new String(in.readAllBytes(), StandardCharsets.ISO_8859_1));
            }
        }
        return parts;
    }

    long chunks(IncoopCounter counter) throws IOException {
        return job.getCounters()
                .findCounter(IncoopCounter.GROUP, counter.name())
                .getValue();
    }

    long counter(TaskCounter counter) throws IOException {
        return job.getCounters().findCounter(counter).getValue();
    }

    boolean ranPlainly() throws IOException {
        return chunks(IncoopCounter.CHUNKS_TOTAL) == 0;
    }
}
