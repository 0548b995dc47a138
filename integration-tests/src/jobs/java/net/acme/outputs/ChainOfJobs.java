// SPDX-License-Identifier: Apache-2.0
package net.acme.outputs;

import java.io.IOException;
import java.util.List;
import net.acme.AcmeJob;
import net.acme.LineMapper;
import net.acme.Sum;
import net.acme.WordMapper;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;

/** Attacks: a second job reads the first one's output, which has no manifest. */
public final class ChainOfJobs extends AcmeJob {
    @Override
    protected void define(Job job, List<String> more) throws Exception {
        Path middle = new Path(FileOutputFormat.getOutputPath(job), "words");
        Job first = Job.getInstance(getConf(), "first of two");
        first.setJarByClass(getClass());
        first.setMapperClass(WordMapper.class);
        first.setCombinerClass(Sum.class);
        first.setReducerClass(Sum.class);
        first.setOutputKeyClass(Text.class);
        first.setOutputValueClass(IntWritable.class);
        FileInputFormat.setInputPaths(first, FileInputFormat.getInputPaths(job));
        Path left = new Path(getConf().get("net.acme.left"), middle.getName());
        FileOutputFormat.setOutputPath(first, left);
        if (!first.waitForCompletion(true)) {
            throw new java.io.IOException("the first job failed");
        }
        FileInputFormat.setInputPaths(job, left);
        job.setMapperClass(Lengths.class);
    }

    /** Counts words by length. */
    public static final class Lengths extends LineMapper {
        @Override
        protected void line(String line, Context context) throws IOException, InterruptedException {
            emit(context, "length " + line.indexOf('\t'), 1);
        }
    }
}
