// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop;

import java.io.IOException;
import java.util.Locale;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.FileSplit;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.MapReduceBase;
import org.apache.hadoop.mapred.OutputCollector;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapreduce.Mapper;

/** Maps of jobs without reducers. */
final class MapOnlyMappers {

    private MapOnlyMappers() {}

    /** Gives lines out in capitals, and counts them. */
    public static class Capitals extends Mapper<LongWritable, Text, Text, IntWritable> {

        private int lines;

        @Override
        protected void map(LongWritable key, Text line, Context context) throws IOException, InterruptedException {
            context.getCounter("mine", "lines").increment(1);
            context.write(new Text(line.toString().toUpperCase(Locale.ROOT)), new IntWritable(line.getLength()));
            lines++;
        }

        @Override
        protected void cleanup(Context context) {
            context.getCounter("mine", "records").increment(lines);
        }
    }

    /** Numbers the lines of its JVM, as a program does that was tried with one split. */
    public static class Numbering extends Mapper<LongWritable, Text, Text, IntWritable> {

        private static int number;

        @Override
        protected void map(LongWritable key, Text line, Context context) throws IOException, InterruptedException {
            context.write(line, new IntWritable(number++));
        }
    }

    /** Gives out nothing. */
    public static class Silent extends Mapper<LongWritable, Text, Text, IntWritable> {
        @Override
        protected void map(LongWritable key, Text line, Context context) {
            // Nothing of it is wanted.
        }
    }

    /** Gives out where its split begins. */
    public static class SplitStart extends Mapper<LongWritable, Text, Text, IntWritable> {
        @Override
        protected void cleanup(Context context) throws IOException, InterruptedException {
            var split = (org.apache.hadoop.mapreduce.lib.input.FileSplit) context.getInputSplit();
            context.write(new Text("from"), new IntWritable((int) split.getStart()));
        }
    }

    /** Looks at the line {@code number}, by its task's number. */
    public static class TaskNumber extends Mapper<LongWritable, Text, Text, IntWritable> {
        @Override
        protected void map(LongWritable key, Text line, Context context) throws IOException, InterruptedException {
            int number = line.toString().equals("number")
                    ? context.getTaskAttemptID().getTaskID().getId()
                    : 0;
            context.write(line, new IntWritable(number));
        }
    }

    /** Of the old API: gives lines out in capitals. */
    public static class OldCapitals extends MapReduceBase
            implements org.apache.hadoop.mapred.Mapper<LongWritable, Text, Text, IntWritable> {

        @Override
        public void map(LongWritable key, Text line, OutputCollector<Text, IntWritable> output, Reporter reporter)
                throws IOException {
            reporter.incrCounter("mine", "lines", 1);
            output.collect(new Text(line.toString().toUpperCase(Locale.ROOT)), new IntWritable(line.getLength()));
        }
    }

    /** Of the old API: gives out its file, as the line says by whom it is to be asked for. */
    public static class OldFile extends MapReduceBase
            implements org.apache.hadoop.mapred.Mapper<LongWritable, Text, Text, IntWritable> {

        private String file = "";

        @Override
        public void configure(JobConf job) {
            file = job.get("mapreduce.map.input.file");
        }

        @Override
        public void map(LongWritable key, Text line, OutputCollector<Text, IntWritable> output, Reporter reporter)
                throws IOException {
            long start = ((FileSplit) reporter.getInputSplit()).getStart();
            output.collect(new Text(file + " " + line), new IntWritable((int) (start + key.get())));
        }
    }
}
