// SPDX-License-Identifier: Apache-2.0
package net.acme.oldapi;

import java.io.IOException;
import java.util.Iterator;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.LongWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapred.FileInputFormat;
import org.apache.hadoop.mapred.FileOutputFormat;
import org.apache.hadoop.mapred.JobClient;
import org.apache.hadoop.mapred.JobConf;
import org.apache.hadoop.mapred.MapReduceBase;
import org.apache.hadoop.mapred.Mapper;
import org.apache.hadoop.mapred.OutputCollector;
import org.apache.hadoop.mapred.Reducer;
import org.apache.hadoop.mapred.Reporter;
import org.apache.hadoop.util.Tool;

/** An ordinary program around one job of the old API: {@code INPUT[,INPUT..] OUTPUT}. */
public abstract class OldJob extends Configured implements Tool {

    /** Sets mapper, reducer and whatever else is special. */
    protected abstract void define(JobConf conf);

    @Override
    public final int run(String[] words) throws Exception {
        JobConf conf = new JobConf(getConf(), getClass());
        conf.setJobName(getClass().getSimpleName());
        conf.setReducerClass(Sum.class);
        conf.setOutputKeyClass(Text.class);
        conf.setOutputValueClass(IntWritable.class);
        FileInputFormat.addInputPaths(conf, words[0]);
        FileOutputFormat.setOutputPath(conf, new Path(words[1]));
        define(conf);
        return JobClient.runJob(conf).isSuccessful() ? 0 : 1;
    }

    /** Adds up. */
    public static final class Sum extends MapReduceBase implements Reducer<Text, IntWritable, Text, IntWritable> {
        @Override
        public void reduce(
                Text key, Iterator<IntWritable> values, OutputCollector<Text, IntWritable> out, Reporter reporter)
                throws IOException {
            int sum = 0;
            while (values.hasNext()) {
                sum += values.next().get();
            }
            out.collect(key, new IntWritable(sum));
        }
    }

    /** Maps lines. */
    public abstract static class Lines extends MapReduceBase implements Mapper<LongWritable, Text, Text, IntWritable> {
        /** The line's first word. */
        protected static String first(Text line) {
            return line.toString().split(" ", 2)[0];
        }
    }
}
