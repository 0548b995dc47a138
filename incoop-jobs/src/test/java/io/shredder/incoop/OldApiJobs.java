// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop;

import java.io.IOException;
import java.util.Iterator;
import java.util.StringTokenizer;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.FileSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.MapReduceBase;
import org.apache.hadoop.mapred.MapRunnable;
import org.apache.hadoop.mapred.MapRunner;
import org.apache.hadoop.mapred.Mapper;
import org.apache.hadoop.mapred.OutputCollector;
import org.apache.hadoop.mapred.Partitioner;
import org.apache.hadoop.mapred.RecordReader;
import org.apache.hadoop.mapred.Reducer;
import org.apache.hadoop.mapred.Reporter;

/** Mappers and reducers of the old API, as people wrote them fifteen years ago. */
final class OldApiJobs {

    private OldApiJobs() {}

    /** Counts words, its own configures and closes, and lines. */
    public static class WordMapper extends MapReduceBase implements Mapper<LongWritable, Text, Text, IntWritable> {

        private final IntWritable one = new IntWritable(1);
        private final Text word = new Text();
        private boolean configured;
        private Reporter last = Reporter.NULL;

        @Override
        public void configure(JobConf job) {
            configured = job.getMapperClass() == getClass();
        }

        @Override
        public void map(LongWritable key, Text line, OutputCollector<Text, IntWritable> output, Reporter reporter)
                throws IOException {
            if (last == Reporter.NULL) {
                reporter.incrCounter("mine", "mappers", configured ? 1 : 0);
            }
            last = reporter;
            reporter.getCounter("mine", "lines").increment(1);
            StringTokenizer words = new StringTokenizer(line.toString());
            while (words.hasMoreTokens()) {
                word.set(words.nextToken());
                output.collect(word, one);
            }
        }

        @Override
        public void close() {
            last.incrCounter("mine", "closed", 1);
        }
    }

    /** Adds up; combiner, too. */
    public static class Sum extends MapReduceBase implements Reducer<Text, IntWritable, Text, IntWritable> {
        @Override
        public void reduce(
                Text key, Iterator<IntWritable> values, OutputCollector<Text, IntWritable> output, Reporter reporter)
                throws IOException {
            int sum = 0;
            while (values.hasNext()) {
                sum += values.next().get();
            }
            output.collect(key, new IntWritable(sum));
        }
    }

    /** Runs a mapper, and counts itself. */
    public static class CountingRunner extends MapRunner<LongWritable, Text, Text, IntWritable> {
        @Override
        public void run(
                RecordReader<LongWritable, Text> input, OutputCollector<Text, IntWritable> output, Reporter reporter)
                throws IOException {
            reporter.incrCounter("mine", "runners", 1);
            super.run(input, output, reporter);
        }
    }

    /** Gives each line with the one before it, which it keeps in a second value. */
    public static class PairsRunner implements MapRunnable<LongWritable, Text, Text, IntWritable> {
        @Override
        public void configure(JobConf job) {
            // Has no options.
        }

        @Override
        public void run(
                RecordReader<LongWritable, Text> input, OutputCollector<Text, IntWritable> output, Reporter reporter)
                throws IOException {
            LongWritable key = input.createKey();
            Text before = input.createValue();
            Text line = input.createValue();
            while (input.next(key, line)) {
                output.collect(new Text(before + " | " + line), new IntWritable(1));
                Text read = line;
                line = before;
                before = read;
            }
        }
    }

    /** Words by their length. */
    public static class ByLength extends MapReduceBase implements Partitioner<Text, IntWritable> {
        @Override
        public int getPartition(Text key, IntWritable value, int partitions) {
            return key.getLength() % partitions;
        }
    }

    /** Reads offsets. */
    public static class OffsetMapper extends MapReduceBase implements Mapper<LongWritable, Text, Text, IntWritable> {
        @Override
        public void map(LongWritable key, Text line, OutputCollector<Text, IntWritable> output, Reporter reporter)
                throws IOException {
            output.collect(new Text("at " + key.get() % 100), new IntWritable(1));
        }
    }

    /** Asks for its file's name by the oldest of its names. */
    public static class FileNameMapper extends MapReduceBase implements Mapper<LongWritable, Text, Text, IntWritable> {

        private String name = "";

        @Override
        public void configure(JobConf job) {
            name = job.get("map.input.file");
        }

        @Override
        public void map(LongWritable key, Text line, OutputCollector<Text, IntWritable> output, Reporter reporter)
                throws IOException {
            output.collect(new Text(name), new IntWritable(1));
        }
    }

    /** Asks for its split. */
    public static class SplitMapper extends MapReduceBase implements Mapper<LongWritable, Text, Text, IntWritable> {
        @Override
        public void map(LongWritable key, Text line, OutputCollector<Text, IntWritable> output, Reporter reporter)
                throws IOException {
            String name = ((FileSplit) reporter.getInputSplit()).getPath().getName();
            output.collect(new Text(name), new IntWritable(1));
        }
    }

    /** Counts keys. */
    public static class KeyCount extends MapReduceBase implements Mapper<Text, Text, Text, IntWritable> {
        @Override
        public void map(Text key, Text value, OutputCollector<Text, IntWritable> output, Reporter reporter)
                throws IOException {
            output.collect(key, new IntWritable(value.getLength()));
        }
    }
}
