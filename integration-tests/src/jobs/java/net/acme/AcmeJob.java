// SPDX-License-Identifier: Apache-2.0
package net.acme;

import java.util.Arrays;
import java.util.List;
import org.apache.hadoop.conf.Configured;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.io.IntWritable;
import org.apache.hadoop.io.Text;
import org.apache.hadoop.mapreduce.Job;
import org.apache.hadoop.mapreduce.lib.input.FileInputFormat;
import org.apache.hadoop.mapreduce.lib.output.FileOutputFormat;
import org.apache.hadoop.util.Tool;

/**
 * An ordinary program around one job: {@code INPUT[,INPUT..] OUTPUT [MORE..]}. Unless a job says otherwise, it maps
 * lines to words and numbers and adds the numbers up by word, so that no order of values shows in its result.
 */
public abstract class AcmeJob extends Configured implements Tool {

    /** Sets mapper, reducer and whatever else is special. */
    protected abstract void define(Job job, List<String> more) throws Exception;

    @Override
    public final int run(String[] words) throws Exception {
        Job job = Job.getInstance(getConf(), getClass().getSimpleName());
        job.setJarByClass(getClass());
        job.setReducerClass(Sum.class);
        job.setOutputKeyClass(Text.class);
        job.setOutputValueClass(IntWritable.class);
        FileInputFormat.addInputPaths(job, words[0]);
        FileOutputFormat.setOutputPath(job, new Path(words[1]));
        define(job, Arrays.asList(words).subList(2, words.length));
        return job.waitForCompletion(true) ? 0 : 1;
    }
}
