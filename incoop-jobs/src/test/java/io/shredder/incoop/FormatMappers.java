// SPDX-License-Identifier: Apache-2.0
package io.shredder.incoop;

import java.io.IOException;
import org.apache.hadoop.io.BytesWritable;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.OutputCollector;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.mapreduce.Mapper;

/** Maps of other inputs than lines. */
final class FormatMappers {

    private FormatMappers() {}

    /** Counts lines, and mappers by how many lines they got. */
    public static class ShareCounter extends Mapper<LongWritable, Text, Text, IntWritable> {

        private int lines;

        @Override
        protected void map(LongWritable key, Text line, Context context) throws IOException, InterruptedException {
            lines++;
            context.write(line, new IntWritable(1));
        }

        @Override
        protected void cleanup(Context context) throws IOException, InterruptedException {
            context.write(new Text("mappers with " + lines + " lines"), new IntWritable(1));
        }
    }

    /** Counts records by their bytes. */
    public static class BytesCounter extends Mapper<LongWritable, BytesWritable, Text, IntWritable> {

        @Override
        protected void map(LongWritable key, BytesWritable record, Context context)
                throws IOException, InterruptedException {
            context.write(new Text(record.toString()), new IntWritable(1));
        }
    }

    /** Counts keys and values of a SequenceFile, in the old API. */
    public static class PairCounter implements org.apache.hadoop.mapred.Mapper<Text, Text, Text, IntWritable> {

        @Override
        public void configure(JobConf job) {}

        @Override
        public void map(Text key, Text value, OutputCollector<Text, IntWritable> output, Reporter reporter)
                throws IOException {
            output.collect(new Text(key + "=" + value), new IntWritable(1));
        }

        @Override
        public void close() {}
    }
}
